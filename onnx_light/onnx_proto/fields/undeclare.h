// The end of stream_class.h: its macros are for the message headers only. Deliberately without an include guard.
#undef FIELD
#undef FIELD_STR
#undef FIELD_WORD
#undef FIELD_BYTES
#undef FIELD_PAYLOAD
#undef FIELD_REPEATED
#undef FIELD_REPEATED_PACKED
#undef FIELD_REPEATED_STR
#undef FIELD_REPEATED_BYTES
#undef ONEOF_CASE
#undef VALUE_SLOT
#undef BEGIN_PROTO
#undef BEGIN_PROTO_NAMED
#undef SERIALIZATION_METHOD
#undef END_PROTO
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
