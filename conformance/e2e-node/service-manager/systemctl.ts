/** `systemctl` of a run: hands its words to who serves the kubelet's unit, and prints what comes back. */
import { request } from 'node:http';
import { json } from 'node:stream/consumers';

const [socketPath, ...words] = process.argv.slice(2);
const asked = request({ socketPath, method: 'POST' }, async (response) => {
  const { code, text } = (await json(response)) as { code: number; text: string };
  process.stdout.write(text);
  process.exitCode = code;
});
asked.on('error', (error) => {
  console.error(`the kubelet's unit is not served: ${error.message}`);
  process.exitCode = 1;
});
asked.end(JSON.stringify(words));
