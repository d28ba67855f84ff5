// The build puts this before all other code, which an older Node cannot load: the error would be a stack that says nothing.
if (Number.parseInt(process.versions.node, 10) < 20) {
  // A test runner shows the error as it is. Node adds the stack if nobody catches it.
  process.once('uncaughtException', ({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exit(1);
  });
  throw new Error(`playmoney needs Node 20.19 or later; this is Node ${process.versions.node}.`);
}
