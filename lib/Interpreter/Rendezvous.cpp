//===- Rendezvous.cpp - Where simulated devices meet ----------------------===//

#include "Rendezvous.h"

#include "tessera/Dialect/Spmd/Spmd.h"

using namespace mlir;
using namespace tessera;

Rendezvous::Rendezvous(const Mesh &mesh, int64_t numRanks)
    : mesh(mesh), devices(numRanks * mesh.numDevices()), running(numDevices()) {
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The coordinates of `device`, of one mesh, with everything that `axes` refer
/// to set to 0: equal for exactly the devices of one group.
static SmallVector<int64_t, 4> groupKey(int64_t device, ArrayRef<AxisRef> axes,
                                        const Mesh &mesh) {
  SmallVector<int64_t, 4> coordinates = mesh.coordinatesOfDevice(device);
  SmallVector<int64_t, 4> key = coordinates;
  for (const AxisRef &axis : axes) {
    int64_t stride = mesh.axisSize(axis.name) / axis.endSize(mesh);
    key[*mesh.findAxis(axis.name)] -= axis.valueAt(coordinates, mesh) * stride;
  }
  return key;
}

int64_t Rendezvous::positionInGroup(int64_t device,
                                    ArrayRef<AxisRef> axes) const {
  return valueAt(axes, mesh.coordinatesOfDevice(device % mesh.numDevices()),
                 mesh);
}

SmallVector<int64_t> Rendezvous::groupOf(int64_t device,
                                         ArrayRef<AxisRef> axes) const {
  SmallVector<int64_t> group(totalSize(axes, mesh));
  SmallVector<int64_t, 4> key =
      groupKey(device % mesh.numDevices(), axes, mesh);
  for (int64_t other = 0; other < mesh.numDevices(); ++other)
    if (groupKey(other, axes, mesh) == key)
      group[positionInGroup(other, axes)] = counterpart(other, rankOf(device));
  return group;
}

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

/// Whether two operations are the same collective: all that matters to the
/// devices that take part agrees.
static bool areSameCollective(Operation *a, Operation *b) {
  return a == b || (a->getName() == b->getName() && a->getNumRegions() == 0 &&
                    a->getOperandTypes() == b->getOperandTypes() &&
                    a->getResultTypes() == b->getResultTypes() &&
                    a->getName().compareOpProperties(
                        a->getPropertiesStorage(), b->getPropertiesStorage()));
}

Rendezvous::Ticket Rendezvous::nextCall(const Device &device,
                                        ArrayRef<int64_t> group) {
  auto found = llvm::find_if(device.open, [&](const Ticket &call) {
    return ArrayRef(call->group) == group;
  });
  return found == device.open.end() ? nullptr : *found;
}

bool Rendezvous::hasReached(const Device &device, const CollectiveCall &call) {
  Ticket next = nextCall(device, call.group);
  return next && areSameCollective(next->place, call.place);
}

Rendezvous::Ticket Rendezvous::start(int64_t device, Operation *place,
                                     ArrayRef<AxisRef> axes, TensorRef operand,
                                     Exchange exchange) {
  std::unique_lock<std::mutex> lock(mutex);
  auto call = std::make_shared<CollectiveCall>(
      CollectiveCall{place, AxisList(axes.begin(), axes.end()),
                     groupOf(device, axes), std::move(operand), nullptr});
  devices[device].open.push_back(call);
  if (!stuck)
    completeIfAllReached(*call, exchange);
  return call;
}

FailureOr<TensorRef> Rendezvous::wait(int64_t device, Ticket call) {
  std::unique_lock<std::mutex> lock(mutex);
  Device &self = devices[device];
  if (!call->result && !stuck) {
    self.state = Device::Meeting;
    self.awaited = call;
    --running;
    explainDeadlock();
    changed.wait(lock, [&] { return self.state == Device::Running || stuck; });
  }
  if (!call->result)
    return failure();
  return std::move(call->result);
}

void Rendezvous::send(int64_t device, int64_t rank, int64_t tag,
                      Operation *place, TensorRef tensor) {
  std::unique_lock<std::mutex> lock(mutex);
  int64_t target = counterpart(device, rank);
  Device &receiver = devices[target];
  if (receiver.state != Device::Receiving || receiver.sender != device ||
      receiver.tag != tag) {
    messages[{device, target, tag}].push_back({place, std::move(tensor)});
    return;
  }
  receiver.message = {place, std::move(tensor)};
  receiver.state = Device::Running;
  ++running;
  changed.notify_all();
}

FailureOr<Rendezvous::Message> Rendezvous::receive(int64_t device, int64_t rank,
                                                   int64_t tag,
                                                   Operation *place) {
  std::unique_lock<std::mutex> lock(mutex);
  int64_t source = counterpart(device, rank);
  auto queue = messages.find({source, device, tag});
  if (queue != messages.end() && !queue->second.empty()) {
    Message message = std::move(queue->second.front());
    queue->second.pop_front();
    return message;
  }
  Device &self = devices[device];
  self.state = Device::Receiving;
  self.place = place;
  self.sender = source;
  self.tag = tag;
  self.message = {};
  --running;
  explainDeadlock();
  changed.wait(lock, [&] { return self.state == Device::Running || stuck; });
  if (!self.message.tensor)
    return failure();
  return std::move(self.message);
}

void Rendezvous::leave(int64_t device, Operation *where) {
  std::unique_lock<std::mutex> lock(mutex);
  if (devices[device].state == Device::Running)
    --running;
  devices[device].state = Device::Left;
  devices[device].place = where;
  explainDeadlock();
}

/// Runs `exchange` on the operands of a collective once every device of its
/// group has made its next call of this group, and lets those that wait for it
/// go on. An error of the exchange ends the whole run; it is reported at the
/// place of the call.
void Rendezvous::completeIfAllReached(const CollectiveCall &call,
                                      Exchange exchange) {
  std::vector<Ticket> calls;
  std::vector<TensorRef> operands;
  for (int64_t member : call.group) {
    if (!hasReached(devices[member], call))
      return;
    calls.push_back(nextCall(devices[member], call.group));
    operands.push_back(calls.back()->operand);
  }
  Fallible<std::vector<TensorRef>> results = exchange(operands);
  if (!results) {
    firstError = RunError{call.place->getLoc(),
                          ("'" + call.place->getName().getStringRef() +
                           "' op " + results.message())
                              .str(),
                          {}};
    stuck = true;
    changed.notify_all();
    return;
  }
  for (auto [position, member] : llvm::enumerate(call.group)) {
    Device &device = devices[member];
    Ticket taken = calls[position];
    taken->operand = nullptr;
    taken->result = std::move((*results)[position]);
    device.open.erase(llvm::find(device.open, taken));
    if (device.state == Device::Meeting && device.awaited == taken) {
      device.state = Device::Running;
      ++running;
    }
  }
  changed.notify_all();
}

//===----------------------------------------------------------------------===//
// When nobody can go on
//===----------------------------------------------------------------------===//

int64_t Rendezvous::absentMember(const CollectiveCall &call) const {
  for (int64_t member : call.group)
    if (!hasReached(devices[member], call))
      return member;
  llvm_unreachable("a collective that all have reached takes place");
}

/// `'spmd.all_reduce' over {"x"} of tensor<f32>`, `'spmd.recv' with tag 3 of
/// tensor<f32>`: how messages call what a device waits in.
static std::string describe(Operation *place, ArrayRef<AxisRef> axes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "'" << place->getName() << "' ";
  if (auto receive = dyn_cast<spmd::RecvOp>(place)) {
    os << "with tag " << receive.getTag() << " of " << receive.getType();
    return text;
  }
  os << "over ";
  printAxes(os, axes);
  if (place->getNumOperands() == 1)
    os << " of " << place->getOperand(0).getType();
  return text;
}

/// Once nobody runs and some wait: follows, from the lowest waiting device,
/// whom each waits for, until one does not wait or the chain closes.
void Rendezvous::explainDeadlock() {
  if (running != 0 || stuck)
    return;
  auto waiting = llvm::find_if(
      devices, [](const Device &device) { return device.isWaiting(); });
  if (waiting == devices.end())
    return;
  stuck = true;
  changed.notify_all();
  int64_t device = waiting - devices.begin();
  llvm::SmallDenseSet<int64_t> seen = {device};
  while (true) {
    const Device &self = devices[device];
    bool receives = self.state == Device::Receiving;
    // An earlier collective of the same group may be the one that is missing.
    Ticket call = receives ? nullptr : nextCall(self, self.awaited->group);
    Operation *place = receives ? self.place : call->place;
    int64_t other = receives ? self.sender : absentMember(*call);
    std::string what = "device " + std::to_string(device) + " waits in " +
                       describe(place, receives ? AxisList() : call->axes) +
                       " for device " + std::to_string(other);
    Location where = place->getLoc();
    if (!firstError)
      firstError = RunError{
          where,
          what + (receives ? ", which never sends it" : ", which never comes"),
          {}};
    else
      firstError->notes.push_back({where, what});
    const Device &absent = devices[other];
    if (absent.isWaiting() && seen.insert(other).second) {
      device = other;
      continue;
    }
    if (absent.state == Device::Left && absent.place)
      firstError->notes.push_back(
          {absent.place->getLoc(),
           "device " + std::to_string(other) + " has returned here"});
    return;
  }
}

/// Looks for a message that has been sent in vain.
void Rendezvous::explainUnreceived() {
  for (const auto &[key, queue] : messages) {
    auto [source, target, tag] = key;
    if (queue.empty())
      continue;
    Operation *sent = queue.front().place, *left = devices[target].place;
    firstError =
        RunError{sent->getLoc(),
                 "device " + std::to_string(source) + " sends what device " +
                     std::to_string(target) + " never receives, with tag " +
                     std::to_string(tag),
                 {}};
    if (left)
      firstError->notes.push_back(
          {left->getLoc(),
           "device " + std::to_string(target) + " has returned here"});
    return;
  }
}

const std::optional<RunError> &Rendezvous::error() {
  if (!firstError)
    explainUnreceived();
  return firstError;
}
