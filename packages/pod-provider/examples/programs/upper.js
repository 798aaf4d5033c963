// Says what it reads in capitals.
for await (const chunk of process.stdin) process.stdout.write(String(chunk).toUpperCase());
