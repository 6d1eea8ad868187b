//===- DescribedMachine.cpp -----------------------------------------------===//

#include "DescribedMachine.h"

using namespace tessera;
using namespace tessera::run;

Fallible<std::unique_ptr<DescribedMachine>>
DescribedMachine::read(const Options &options, const std::string &manifest) {
  if (!options.links && !options.virtualKernels && !options.delaySeed)
    return std::unique_ptr<DescribedMachine>();
  std::unique_ptr<DescribedMachine> made(new DescribedMachine());
  MachineDescription links;
  if (options.links) {
    Fallible<MachineDescription> read = readMachineFile(*options.links);
    if (!read)
      return read.failure();
    links = *std::move(read);
  } else if (options.delaySeed) {
    links = MachineDescription::slowNetwork();
  }
  made->setLinks(links);
  made->machine.has_delays = options.delaySeed.has_value();
  made->machine.delay_seed = options.delaySeed.value_or(0);
  if (!options.virtualKernels)
    return made;
  if (!options.device) {
    made->setKernels(links, manifest);
    return made;
  }
  Fallible<MachineDescription> device = readMachineFile(*options.device);
  if (!device)
    return device.failure();
  made->setKernels(*device, manifest);
  return made;
}

void DescribedMachine::setLinks(const MachineDescription &description) {
  auto linksOf = [](const LinkDescription &links, const char *name) {
    const LinkDetails &details = links.details;
    return TesseraLinks{name,
                        links.devices,
                        links.latency,
                        links.bandwidth,
                        details.launch,
                        details.halfSaturation,
                        details.copyBandwidth,
                        details.links};
  };
  for (const LinkDescription &level : description.levels)
    levels.push_back(linksOf(level, nullptr));
  for (const LinkDescription &axis : description.axes)
    axisNames.push_back(axis.name);
  for (size_t i = 0; i < axisNames.size(); ++i)
    axes.push_back(linksOf(description.axes[i], axisNames[i].c_str()));
  machine.levels = levels.data();
  machine.level_count = static_cast<int32_t>(levels.size());
  machine.axes = axes.data();
  machine.axis_count = static_cast<int32_t>(axes.size());
  machine.host_latency = description.device.host.latency;
  machine.host_bandwidth = description.device.host.bandwidth;
}

void DescribedMachine::setKernels(const MachineDescription &description,
                                  const std::string &manifest) {
  const DeviceDescription &device = description.device;
  roofline = {false, device.compute, {{0, device.memoryBandwidth}}};
  work = WorkTable(manifest);
  for (const auto &[name, kernel] : work.all())
    kernels.push_back(
        {name.c_str(), device.kernels.seconds(kernel.operations, kernel.bytes,
                                              kernel.products, device.compute,
                                              device.memoryBandwidth) /
                           static_cast<double>(kernel.launches)});
  machine.is_virtual = true;
  machine.kernels = kernels.data();
  machine.kernel_count = static_cast<int64_t>(kernels.size());
}
