// Tells the time each second.
console.log(`started with ${process.argv.slice(2).join(' ')}`);
setInterval(() => console.log(new Date().toISOString()), 1000);
