// The heap types: one for each message class, two for lists, one for iterators. All are mutable (attributes of classes can be assigned),
// final, and without garbage collection: faces refer to nothing that could refer back.
#include "onnx_py/face_types.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "onnx_py/errors.h"
#include "onnx_py/list_face.h"
#include "onnx_py/message_face.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

constexpr char kModule[] = "onnx_light.onnx";

std::vector<std::unique_ptr<FaceType>> face_types;  // as proto::AllTables()
PyTypeObject* value_list_type = nullptr;
PyTypeObject* message_list_type = nullptr;
PyTypeObject* iterator_type = nullptr;

// From a Python type to its FaceType: open addressing, four times as many places as there are types.
std::array<FaceType*, 128> by_type;
size_t PlaceOf(const PyTypeObject* type) { return (reinterpret_cast<uintptr_t>(type) >> 4) % by_type.size(); }

void Remember(FaceType& face_type) {
  size_t place = PlaceOf(face_type.type);
  while (by_type[place]) place = (place + 1) % by_type.size();
  by_type[place] = &face_type;
}

// A type keeps pointers to the texts of its specification.
const char* Kept(std::string_view text) {
  static auto& texts = *new std::vector<std::unique_ptr<std::string>>;
  return texts.emplace_back(std::make_unique<std::string>(text))->c_str();
}

// So it does to its methods.
PyMethodDef* Joined(std::initializer_list<const PyMethodDef*> tables) {
  std::vector<PyMethodDef> all;
  for (const PyMethodDef* table : tables) {
    while (table->ml_name) all.push_back(*table++);
  }
  all.push_back({});
  auto* const kept = new PyMethodDef[all.size()];
  std::copy(all.begin(), all.end(), kept);
  return kept;
}

PyTypeObject* MakeType(std::string_view name, size_t size, std::vector<PyType_Slot> slots) {
  slots.push_back({0, nullptr});
  PyType_Spec spec{Kept(std::string(kModule) + "." + std::string(name)), static_cast<int>(size), 0, Py_TPFLAGS_DEFAULT, slots.data()};
  PyObject* const type = PyType_FromSpec(&spec);
  if (!type) return nullptr;
  const Ref module(PyUnicode_FromString(kModule));
  const Ref full(PyUnicode_FromStringAndSize(name.data(), static_cast<Py_ssize_t>(name.size())));
  if (!module || !full || PyObject_SetAttrString(type, "__module__", module.get()) < 0 ||
      PyObject_SetAttrString(type, "__qualname__", full.get()) < 0) {
    return nullptr;
  }
  return reinterpret_cast<PyTypeObject*>(type);
}

// Looks for a factor by which every field of the class has a place of its own: of 18 fields, one in fifteen will do.
bool SpreadNames(FaceType& face_type) {
  uint64_t factor = 0x9e3779b97f4a7c15u;
  for (int tries = 0; tries < 100000; ++tries, factor = factor * 0x5851f42d4c957f2du | 1u) {
    std::array<const FieldFace*, 64> places{};
    size_t placed = 0;
    for (const FieldFace& field : face_type.fields) {
      const FieldFace*& place = places[reinterpret_cast<uintptr_t>(field.name) * factor >> 58];
      placed += place == nullptr;
      place = &field;
    }
    if (placed < face_type.fields.size()) continue;
    face_type.by_name = places;
    face_type.spread = factor;
    return true;
  }
  PyErr_SetString(PyExc_SystemError, "too many fields for a table of their names");
  return false;
}

// Whoever makes an object of a class by a way of its own (object.__new__, where somebody has assigned NodeProto.__new__) gets one that is
// whole as well: a message, or for the other classes none at all.
PyObject* AllocateMessage(PyTypeObject* type, Py_ssize_t) {
  return Guard([&] { return NewRootFace(*FaceTypeOf(type)); });
}
PyObject* RefuseAllocation(PyTypeObject*, Py_ssize_t) {
  PyErr_SetString(PyExc_RuntimeError, "lists and their iterators are made by messages only");
  return nullptr;
}

bool MakeMessageType(FaceType& face_type) {
  const Table& table = *face_type.table;
  for (const Row& row : table.rows) {
    PyObject* const name = PyUnicode_InternFromString(Kept(row.name));
    if (!name) return false;
    face_type.fields.push_back({&row, &face_type, row.child ? &FaceTypeOf(row.child()) : nullptr, name});
  }
  if (!SpreadNames(face_type)) return false;
  for (FieldFace& field : face_type.fields) {
    face_type.properties.push_back({Kept(field.row->name), GetField, SetField, Kept(field.row->doc), &field});
  }
  face_type.properties.push_back({});
  static PyMethodDef* const methods = Joined({presence_methods, whole_methods, bytes_methods});
  face_type.type = MakeType(table.name, sizeof(MessageFace),
                            {{Py_tp_doc, const_cast<char*>(Kept(table.doc))},
                             {Py_tp_alloc, Slot(AllocateMessage)},
                             {Py_tp_new, Slot(NewMessage)},
                             {Py_tp_init, Slot(InitMessage)},
                             {Py_tp_dealloc, Slot(FreeMessageFace)},
                             {Py_tp_getattro, Slot(GetAttribute)},
                             {Py_tp_setattro, Slot(SetAttribute)},
                             {Py_tp_getset, face_type.properties.data()},
                             {Py_tp_methods, methods},
                             {Py_tp_richcompare, Slot(CompareMessages)},
                             {Py_tp_hash, Slot(PyObject_HashNotImplemented)},
                             {Py_tp_repr, Slot(TextOfMessage)},
                             {Py_tp_str, Slot(TextOfMessage)},
                             {Py_sq_contains, Slot(ContainsField)}});
  if (!face_type.type) return false;
#if !defined(Py_LIMITED_API)
  face_type.type->tp_vectorcall = CallClass;
#endif
  Remember(face_type);
  return true;
}

PyObject* RefuseNew(PyTypeObject* type, PyObject*, PyObject*) { return RefuseAllocation(type, 0); }

PyTypeObject* MakeListType(std::string_view name, const char* doc, PyMethodDef* own_methods, objobjargproc set_item) {
  return MakeType(name, sizeof(ListFace),
                  {{Py_tp_doc, const_cast<char*>(doc)},
                   {Py_tp_alloc, Slot(RefuseAllocation)},
                   {Py_tp_new, Slot(RefuseNew)},
                   {Py_tp_dealloc, Slot(FreeListFace)},
                   {Py_tp_methods, Joined({own_methods, edit_methods})},
                   {Py_tp_iter, Slot(IterateList)},
                   {Py_tp_richcompare, Slot(CompareLists)},
                   {Py_tp_hash, Slot(PyObject_HashNotImplemented)},
                   {Py_tp_repr, Slot(TextOfList)},
                   {Py_sq_length, Slot(LengthOf)},
                   {Py_sq_item, Slot(ItemAtSigned)},
                   {Py_mp_length, Slot(LengthOf)},
                   {Py_mp_subscript, Slot(GetItem)},
                   {Py_mp_ass_subscript, Slot(set_item)}});
}

bool MakeAll() {
  value_list_type = MakeListType("RepeatedScalarContainer", "A repeated field of numbers or strings.", value_list_methods, SetValueItem);
  message_list_type = MakeListType("RepeatedCompositeContainer", "A repeated field of messages.", message_list_methods, SetMessageItem);
  iterator_type = MakeType("RepeatedIterator", sizeof(IteratorFace),
                           {{Py_tp_alloc, Slot(RefuseAllocation)},
                            {Py_tp_new, Slot(RefuseNew)},
                            {Py_tp_dealloc, Slot(FreeIterator)},
                            {Py_tp_methods, iterator_methods},
                            {Py_tp_iter, Slot(PyObject_SelfIter)},
                            {Py_tp_iternext, Slot(NextOfList)}});
  if (!value_list_type || !message_list_type || !iterator_type) return false;
  for (const Table* table : proto::AllTables()) face_types.push_back(std::make_unique<FaceType>(FaceType{table}));
  for (const auto& face_type : face_types) {
    if (!MakeMessageType(*face_type)) return false;
  }
  for (const auto& face_type : face_types) {  // TypeProto.Tensor is also an attribute of TypeProto
    const std::string_view name = face_type->table->name;
    const size_t dot = name.find('.');
    if (dot == std::string_view::npos) continue;
    FaceType& outer = FaceTypeOf(*proto::FindTable(name.substr(0, dot)));
    if (PyObject_SetAttrString(outer.object(), Kept(name.substr(dot + 1)), face_type->object()) < 0) return false;
  }
  return true;
}

}  // namespace

FaceType& FaceTypeOf(const Table& table) {
  for (const auto& face_type : face_types) {
    if (face_type->table == &table) return *face_type;
  }
  Py_FatalError("a message class without a Python type");  // the lists of tables and of types are one
}

FaceType* FaceTypeOf(PyTypeObject* type) {
  for (size_t place = PlaceOf(type); by_type[place]; place = (place + 1) % by_type.size()) {
    if (by_type[place]->type == type) return by_type[place];
  }
  return nullptr;
}

bool IsListFace(PyObject* object) { return Py_TYPE(object) == value_list_type || Py_TYPE(object) == message_list_type; }

PyTypeObject* ListTypeOf(const FieldFace& field) { return field.child ? message_list_type : value_list_type; }
PyTypeObject* IteratorType() { return iterator_type; }

std::vector<FaceType*> AllFaceTypes() {
  std::vector<FaceType*> all;
  for (const auto& face_type : face_types) all.push_back(face_type.get());
  return all;
}

bool MakeTypes(PyObject* module) {
  return Guard(false, [&] {
    if (face_types.empty() && !MakeAll()) return false;
    for (PyTypeObject* type : {value_list_type, message_list_type}) {
      const char* const name = type == value_list_type ? "RepeatedScalarContainer" : "RepeatedCompositeContainer";
      if (PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject*>(type)) < 0) return false;
    }
    for (const auto& face_type : face_types) {
      if (face_type->table->name.find('.') != std::string_view::npos) continue;
      if (PyModule_AddObjectRef(module, Kept(face_type->table->name), face_type->object()) < 0) return false;
    }
    return true;
  });
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
