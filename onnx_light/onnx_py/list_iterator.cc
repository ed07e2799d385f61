// Iterators hold the list's face and a place. Whatever is done to the list meanwhile, they go on at that place until it is past the end.
#include "onnx_py/face_types.h"
#include "onnx_py/free_list.h"
#include "onnx_py/list_face.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

FreeList<IteratorFace> iterators;

// Whoever walks a long list waits for memory: the message that comes so many steps later is asked for now.
constexpr size_t kAhead = 4;

}  // namespace

PyObject* IterateList(PyObject* self) {
  IteratorFace* const iterator = iterators.Make(IteratorType());
  if (!iterator) return nullptr;
  iterator->list = Py_NewRef(self);
  iterator->next = 0;
  return reinterpret_cast<PyObject*>(iterator);
}

PyObject* NextOfList(PyObject* self) {
  auto& iterator = *reinterpret_cast<IteratorFace*>(self);
  if (!iterator.list) return nullptr;
  const ListHandle& items = ItemsOf(iterator.list);
  if (iterator.next < items.count) {
    const FieldFace& field = *AsList(iterator.list).field;
    const size_t index = iterator.next++;
    if (!field.child) return ToPython(*field.row, Verbs::Element(items, *field.row, index));
    if (index + kAhead < items.count) __builtin_prefetch(&MessageAt(items, field, index + kAhead), 1);
    return Guard([&] { return FaceOf(*field.child, MessageAt(items, field, index)); });
  }
  const Ref ended(std::exchange(iterator.list, nullptr));
  return nullptr;
}

void FreeIterator(PyObject* self) {
  auto* const iterator = reinterpret_cast<IteratorFace*>(self);
  const Ref list(iterator->list);
  iterators.Free(iterator);
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
