// Loaded into the program under soak by `node --expose-gc --import`: tells over IPC what the process holds, when it is asked.
const made = new Set();
const PRUNE_AT = 1000;
let pruneAt = PRUNE_AT;

const isOver = (timer) => timer._destroyed;

function prune() {
  for (const timer of made) if (isOver(timer)) made.delete(timer);
  pruneAt = made.size + PRUNE_AT;
}

// process.getActiveResourcesInfo() leaves out the timers that do not keep the process alive, as those of worlds are.
for (const name of ['setTimeout', 'setInterval']) {
  const make = globalThis[name];
  globalThis[name] = (...args) => {
    const timer = make(...args);
    made.add(timer);
    if (made.size > pruneAt) prune();
    return timer;
  };
}

process.on('message', (number) => {
  globalThis.gc();
  prune();
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources = {};
  for (const type of process.getActiveResourcesInfo()) resources[type] = (resources[type] ?? 0) + 1;
  const unheld = [...made].filter((timer) => !timer.hasRef()).length;
  process.send({ number, rss, heap: heapUsed + external, resources, unheld });
});
// Nobody who listens here keeps the program alive.
process.channel.unref();
