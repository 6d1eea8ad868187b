//===- Client.cpp - The client and what platform it is --------------------===//

#include "Functions.h"

#include <algorithm>
#include <cstring>

using namespace tessera::pjrt;

static constexpr const char *kPlatform = "tessera";

Device &Client::device(int32_t id) const {
  if (id < 0 || id >= static_cast<int32_t>(devices.size()))
    throw Refusal(Code::InvalidArgument, "expected a device below " +
                                             std::to_string(devices.size()) +
                                             ", got " + std::to_string(id));
  return *devices[id];
}

//===----------------------------------------------------------------------===//
// Live jobs
//===----------------------------------------------------------------------===//

/// So many programs keep their ranks.
static constexpr size_t kLiveJobs = 64;

void LiveJobs::touch(LoadedExecutable &executable) {
  std::lock_guard<std::mutex> lock(mutex);
  order.remove(&executable);
  order.push_front(&executable);
  // One that is at work is left for the next time.
  for (auto last = std::prev(order.end());
       order.size() > kLiveJobs && last != order.begin();) {
    auto candidate = last--;
    if ((*candidate)->tryClose())
      order.erase(candidate);
  }
}

void LiveJobs::forget(LoadedExecutable &executable) {
  std::lock_guard<std::mutex> lock(mutex);
  order.remove(&executable);
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static void readOption(const NamedValue &option, Client &client,
                       int64_t &devices) {
  std::string name(option.name, option.nameSize);
  if (name == "devices" && option.type == kIntegerValue)
    devices = option.integer;
  else if (name == "threads" && option.type == kIntegerValue)
    client.threads = static_cast<int32_t>(option.integer);
  else if (name == "backend" && option.type == kTextValue)
    client.backend.assign(option.text, option.valueSize);
  else
    throw Refusal(Code::InvalidArgument,
                  "expected the options 'devices', 'threads' (numbers) and "
                  "'backend' (text), got '" +
                      name + "'");
}

static void createClient(ClientCreate &arguments) {
  static constexpr int64_t kMostDevices = 4096;
  auto client = std::make_unique<Client>();
  int64_t count = 1;
  for (size_t i = 0; i < arguments.optionCount; ++i)
    readOption(arguments.options[i], *client, count);
  if (count < 1 || count > kMostDevices)
    throw Refusal(Code::InvalidArgument,
                  "expected 1 to 4096 devices, got " + std::to_string(count));
  client->version = std::string("tessera ") + tessera_version();
  for (int32_t id = 0; id < count; ++id) {
    auto device = std::make_unique<Device>();
    std::string number = std::to_string(id);
    *device = {client.get(),
               id,
               "TesseraDevice(id=" + number + ")",
               {client.get(), nullptr, id, "TesseraMemory(id=" + number + ")"},
               nullptr,
               nullptr};
    device->self = device->memory.device = device.get();
    device->ownMemory = &device->memory;
    client->deviceList.push_back(device.get());
    client->memoryList.push_back(&device->memory);
    client->devices.push_back(std::move(device));
  }
  arguments.client = client.release();
}

static void destroyClient(Of<Client> &arguments) { delete arguments.object; }

//===----------------------------------------------------------------------===//
// Properties; those of a topology are the client's
//===----------------------------------------------------------------------===//

static void tellPlatform(AskText<Client> &arguments) {
  arguments.values = kPlatform;
  arguments.count = std::strlen(kPlatform);
}

static void tellVersion(AskText<Client> &arguments) {
  arguments.values = arguments.object->version.c_str();
  arguments.count = arguments.object->version.size();
}

static void tellProcess(Ask<Client, int32_t> &arguments) {
  arguments.value = 0;
}

static void tellTopology(Ask<Client, Client *> &arguments) {
  arguments.value = arguments.object;
}

static void keepTopology(Of<Client> &) {}

static void tellNoAttributes(AskList<Client, NamedValue> &arguments) {
  arguments.values = nullptr;
  arguments.count = 0;
}

static void tellDevices(AskList<Client, Device *> &arguments) {
  arguments.values = arguments.object->deviceList.data();
  arguments.count = arguments.object->deviceList.size();
}

static void tellMemories(AskList<Client, Memory *> &arguments) {
  arguments.values = arguments.object->memoryList.data();
  arguments.count = arguments.object->memoryList.size();
}

static void lookUpDevice(ClientLookup &arguments) {
  arguments.device = &arguments.object->device(arguments.id);
}

static void assignByDefault(ClientAssignment &arguments) {
  int64_t count = int64_t{arguments.replicas} * arguments.partitions;
  if (count > static_cast<int64_t>(arguments.size) ||
      count > static_cast<int64_t>(arguments.object->devices.size()))
    throw Refusal(
        Code::InvalidArgument,
        "expected at most " + std::to_string(arguments.object->devices.size()) +
            " devices (TESSERA_DEVICES), got " + std::to_string(count));
  for (int32_t i = 0; i < count; ++i)
    arguments.devices[i] = i;
}

void tessera::pjrt::addClient(Table &table) {
  put<createClient>(table, Slot::ClientCreate);
  put<destroyClient>(table, Slot::ClientDestroy);
  put<tellPlatform>(table, Slot::ClientPlatformName);
  put<tellVersion>(table, Slot::ClientPlatformVersion);
  put<tellProcess>(table, Slot::ClientProcess);
  put<tellDevices>(table, Slot::ClientDevices);
  put<tellDevices>(table, Slot::ClientAddressableDevices);
  put<tellMemories>(table, Slot::ClientMemories);
  put<lookUpDevice>(table, Slot::ClientLookupDevice);
  put<lookUpDevice>(table, Slot::ClientLookupAddressableDevice);
  put<assignByDefault>(table, Slot::ClientDefaultAssignment);
  put<tellTopology>(table, Slot::ClientTopology);
  put<keepTopology>(table, Slot::TopologyDestroy);
  put<tellPlatform>(table, Slot::TopologyPlatformName);
  put<tellVersion>(table, Slot::TopologyPlatformVersion);
  put<tellDevices>(table, Slot::TopologyDescriptions);
  put<tellNoAttributes>(table, Slot::TopologyAttributes);
}
