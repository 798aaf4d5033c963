// Greets whoever asks at the port that PORT names.
import { createServer } from 'node:http';

const server = createServer((request, response) =>
  response.end(`hello from ${process.env.NAME}: ${request.url}\n`),
);
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log(`listening on ${process.env.PORT}`));
