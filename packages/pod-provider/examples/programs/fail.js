// Ends with the code that it is told.
console.error(`ends with ${process.argv[2]}`);
process.exitCode = Number(process.argv[2]);
