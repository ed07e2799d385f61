// Lists of numbers and strings.
#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "onnx_py/list_face.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

// Values that passed their checks, and what keeps their bytes alive. A few of them need no memory of their own.
class Values {
 public:
  explicit Values(PyObject* iterable);
  explicit operator bool() const { return static_cast<bool>(source_); }
  size_t size() const { return SizeOf(source_.get()); }
  bool Convert(const Row& row);
  const Value& operator[](size_t i) const { return all_[i]; }

 private:
  static constexpr size_t kFew = 8;
  Ref source_;
  Value few_[kFew];
  std::vector<Value> many_;
  Value* all_ = few_;
};

// The list or tuple itself when converting its items cannot run Python code; else a list of what the iterable gives.
Ref Snapshot(PyObject* iterable) {
  if (PyList_CheckExact(iterable) || PyTuple_CheckExact(iterable)) {
    size_t i = 0;
    const size_t size = SizeOf(iterable);
    while (i < size && IsOfExactType(ItemOf(iterable, i))) ++i;
    if (i == size) return Ref::To(iterable);
  }
  return Ref(PySequence_List(iterable));
}

Values::Values(PyObject* iterable) : source_(Snapshot(iterable)) {}

bool Values::Convert(const Row& row) {
  const size_t count = size();
  if (count > kFew) {
    many_.resize(count);
    all_ = many_.data();
  }
  for (size_t i = 0; i < count; ++i) {
    if (!FromPython(row, ItemOf(source_.get(), i), all_[i])) return false;
  }
  return true;
}

void AppendValues(const ListPlace& place, const Row& row, const Values& values) {
  if (values.size() == 0) return;
  const size_t size = proto::ElementSize(row.kind);
  const Verbs::Run run = Verbs::AppendRun(place.arena, *place.items, row, values.size());
  if (proto::IsStringList(row.kind)) std::memset(run.first, 0, values.size() * size);
  for (size_t i = 0; i < values.size(); ++i) {
    StoreElement(place.arena, row, run.first + i * size, values[i]);
    ++run.items->count;
  }
}

PyObject* Append(PyObject* self, PyObject* object) {
  Value value;
  if (!FromPython(RowOf(self), object, value)) return nullptr;
  return Guard([&] {
    const ListPlace place = Changing(self);
    StoreElement(place.arena, RowOf(self), Verbs::Append(place.arena, *place.items, RowOf(self)), value);
    return None();
  });
}

PyObject* Extend(PyObject* self, PyObject* iterable) {
  if (iterable == self) {
    return Guard([&] {
      const ListPlace place = Changing(self);
      Verbs::AppendCopies(place.arena, *place.items, RowOf(self), *place.items);
      return None();
    });
  }
  return ExtendWithValues(RowOf(self), iterable, [&] { return Changing(self); }) ? None() : nullptr;
}

PyObject* Insert(PyObject* self, PyObject* arguments) {
  Py_ssize_t index = 0;
  PyObject* object = nullptr;
  if (!PyArg_ParseTuple(arguments, "nO", &index, &object)) return nullptr;
  Value value;
  if (!FromPython(RowOf(self), object, value)) return nullptr;
  return Guard([&] {
    const ListPlace place = Changing(self);
    const Py_ssize_t count = LengthOf(self);
    if (index < 0) index += count;
    const auto at = static_cast<size_t>(std::clamp(index, Py_ssize_t{0}, count));
    StoreElement(place.arena, RowOf(self), Verbs::InsertAt(place.arena, *place.items, RowOf(self), at), value);
    return None();
  });
}

// Erases [begin, end), puts the values there.
void Replace(PyObject* self, size_t begin, size_t end, const Values& values) {
  const ListPlace place = Changing(self);
  const Row& row = RowOf(self);
  const size_t size = proto::ElementSize(row.kind);
  Verbs::Erase(place.arena, *place.items, row, begin, end);
  const size_t before = place.items->count;
  AppendValues(place, row, values);
  char* const data = place.items->data();
  if (data) std::rotate(data + begin * size, data + before * size, data + place.items->count * size);
}

int SetSlice(PyObject* self, PyObject* key, PyObject* iterable) {
  Py_ssize_t begin = 0;
  Py_ssize_t end = 0;
  Py_ssize_t step = 0;
  if (PySlice_Unpack(key, &begin, &end, &step) < 0) return -1;
  Values taken(iterable);
  if (!taken) {
    if (PyErr_ExceptionMatches(PyExc_TypeError)) PyErr_Format(PyExc_TypeError, "a slice takes an iterable, not %R", iterable);
    return -1;
  }
  const auto given = static_cast<Py_ssize_t>(taken.size());
  const auto fits = [&] {
    Py_ssize_t first = begin;
    Py_ssize_t last = end;
    const Py_ssize_t size = PySlice_AdjustIndices(LengthOf(self), &first, &last, step);
    if (step == 1 || size == given) return true;
    PyErr_Format(PyExc_ValueError, "a slice of %zd elements takes as many, not %zd", size, given);
    return false;
  };
  if (!fits() || !taken.Convert(RowOf(self)) || !fits()) return -1;  // converting may have changed the list
  return Guard(-1, [&] {
    const Py_ssize_t size = PySlice_AdjustIndices(LengthOf(self), &begin, &end, step);
    if (step == 1) {
      Replace(self, static_cast<size_t>(begin), static_cast<size_t>(begin + size), taken);
      return 0;
    }
    const ListPlace place = Changing(self);
    for (Py_ssize_t i = 0; i < size; ++i) {
      void* const at = Verbs::Element(*place.items, RowOf(self), static_cast<size_t>(begin + i * step));
      StoreElement(place.arena, RowOf(self), at, taken[static_cast<size_t>(i)]);
    }
    return 0;
  });
}

// protobuf's own wording would be an error of the module `pickle`.
PyObject* RefuseToPickle(PyObject*, PyObject*) {
  const Ref pickle(PyImport_ImportModule("pickle"));
  const Ref error(pickle ? PyObject_GetAttrString(pickle.get(), "PickleError") : nullptr);
  if (error) PyErr_SetString(error.get(), "a repeated field cannot be pickled: make a list of it first");
  return nullptr;
}

}  // namespace

bool ExtendWithValues(const Row& row, PyObject* iterable, const std::function<ListPlace()>& place) {
  Values taken(iterable);
  if (!taken) return false;
  return Guard(false, [&] {
    if (!taken.Convert(row)) return false;
    AppendValues(place(), row, taken);
    return true;
  });
}

int SetValueItem(PyObject* self, PyObject* key, PyObject* object) {
  if (!object) return DeleteItem(self, key);
  if (PySlice_Check(key)) return Guard(-1, [&] { return SetSlice(self, key, object); });
  if (IndexFrom(self, key) < 0) return -1;
  Value value;
  if (!FromPython(RowOf(self), object, value)) return -1;
  const Py_ssize_t index = IndexFrom(self, key);  // again: converting may have changed the list
  if (index < 0) return -1;
  return Guard(-1, [&] {
    const ListPlace place = Changing(self);
    StoreElement(place.arena, RowOf(self), Verbs::Element(*place.items, RowOf(self), static_cast<size_t>(index)), value);
    return 0;
  });
}

PyMethodDef value_list_methods[] = {
    {"append", Append, METH_O, "append($self, value, /)\n--\n\nAdds an element at the end."},
    {"extend", Extend, METH_O, "extend($self, values, /)\n--\n\nAdds all elements of an iterable, or none if one does not fit."},
    {"MergeFrom", Extend, METH_O, "MergeFrom($self, values, /)\n--\n\nThe same as extend."},
    {"insert", Insert, METH_VARARGS, "insert($self, index, value, /)\n--\n\nAdds an element before another one."},
    {"__reduce__", RefuseToPickle, METH_NOARGS, "__reduce__($self, /)\n--\n\nRaises PickleError."},
    {}};

}  // namespace ONNX_LIGHT_NAMESPACE::py
