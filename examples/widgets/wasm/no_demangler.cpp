// No demangler: it would be a tenth of a module, for the names of classes in errors that no state of a widget leads to.
extern "C" char* __cxa_demangle(const char*, char*, unsigned long*, int* status) {
  *status = -1;
  return nullptr;
}
