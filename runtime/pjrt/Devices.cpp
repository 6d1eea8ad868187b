//===- Devices.cpp - Devices and their memories ---------------------------===//

#include "Functions.h"

#include <cstring>

using namespace tessera::pjrt;

/// The kind of all devices, and that of their memory, which JAX looks for.
static constexpr const char *kDeviceKind = "tessera";
static constexpr const char *kMemoryKind = "device";

template <typename Object>
static void tell(AskText<Object> &arguments, const char *text) {
  arguments.values = text;
  arguments.count = std::strlen(text);
}

static void tellDeviceId(Ask<Device, int32_t> &arguments) {
  arguments.value = arguments.object->id;
}
static void tellProcess(Ask<Device, int32_t> &arguments) {
  arguments.value = 0;
}
static void
tellNoAttributes(AskCounted<Device, const NamedValue *> &arguments) {
  arguments.values = nullptr;
  arguments.count = 0;
}
static void tellDeviceKind(AskText<Device> &arguments) {
  tell(arguments, kDeviceKind);
}
static void tellDeviceText(AskText<Device> &arguments) {
  tell(arguments, arguments.object->text.c_str());
}
static void tellDescription(Ask<Device, Device *> &arguments) {
  arguments.value = arguments.object;
}
static void tellIsAddressable(Ask<Device, bool> &arguments) {
  arguments.value = true;
}
static void tellDeviceMemories(AskList<Device, Memory *> &arguments) {
  arguments.values = &arguments.object->ownMemory;
  arguments.count = 1;
}
static void tellDefaultMemory(Ask<Device, Memory *> &arguments) {
  arguments.value = arguments.object->ownMemory;
}
static void tellMemoryId(Ask<Memory, int32_t> &arguments) {
  arguments.value = arguments.object->id;
}
static void tellMemoryKind(AskText<Memory> &arguments) {
  tell(arguments, kMemoryKind);
}
static void tellMemoryKindId(Ask<Memory, int32_t> &arguments) {
  arguments.value = 0;
}
static void tellMemoryText(AskText<Memory> &arguments) {
  tell(arguments, arguments.object->text.c_str());
}
static void tellMemoryDevices(AskList<Memory, Device *> &arguments) {
  arguments.values = &arguments.object->device->self;
  arguments.count = 1;
}

void tessera::pjrt::addDevices(Table &table) {
  put<tellDeviceId>(table, Slot::DescriptionId);
  put<tellProcess>(table, Slot::DescriptionProcess);
  put<tellNoAttributes>(table, Slot::DescriptionAttributes);
  put<tellDeviceKind>(table, Slot::DescriptionKind);
  put<tellDeviceText>(table, Slot::DescriptionDebugText);
  put<tellDeviceText>(table, Slot::DescriptionText);
  put<tellDescription>(table, Slot::DeviceDescription);
  put<tellIsAddressable>(table, Slot::DeviceIsAddressable);
  put<tellDeviceId>(table, Slot::DeviceLocalId);
  put<tellDeviceMemories>(table, Slot::DeviceMemories);
  put<tellDefaultMemory>(table, Slot::DeviceDefaultMemory);
  put<tellMemoryId>(table, Slot::MemoryId);
  put<tellMemoryKind>(table, Slot::MemoryKind);
  put<tellMemoryKindId>(table, Slot::MemoryKindId);
  put<tellMemoryText>(table, Slot::MemoryDebugText);
  put<tellMemoryText>(table, Slot::MemoryText);
  put<tellMemoryDevices>(table, Slot::MemoryDevices);
}
