/** Listens on each ADDRESS,PORT and answers what a client sent once it has half-closed. For use inside a namespace. */
import { createServer, type Socket } from 'node:net';

function answerAtEnd(socket: Socket): void {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => setTimeout(() => socket.end(`got ${Buffer.concat(chunks)}`), 50));
}

let waiting = process.argv.length - 2;
for (const place of process.argv.slice(2)) {
  const [address, port] = place.split(',');
  createServer({ allowHalfOpen: true }, answerAtEnd).listen(Number(port), address, () => {
    if (--waiting === 0) process.stdout.write('ready\n');
  });
}
