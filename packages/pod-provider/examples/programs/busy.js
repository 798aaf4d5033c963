// Takes a processor whole, and as many MiB of memory as it is told.
const held = Buffer.alloc(Number(process.argv[2] ?? 0) * 2 ** 20, 1);
console.log(`holds ${held.length} bytes`);
const spin = () => {
  for (const endMs = performance.now() + 50; performance.now() < endMs; );
  setImmediate(spin);
};
spin();
