import { createKubeClient } from '@wherry/client';

const client = createKubeClient();
const pod = process.argv[2] ?? 'demo';
const command = ['sh', '-c', 'tr a-z A-Z; exit 3'];
const { stdout, exitCode } = await client.captureExec({ pod, command, stdin: 'hello' });
console.log(stdout, exitCode);
