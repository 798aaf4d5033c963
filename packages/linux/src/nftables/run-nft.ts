import { spawn } from 'node:child_process';

/** Has nft(8) carry out commands, all or none. Throws with what it complained of, also when there is no such program. */
export async function runNft(commands: string): Promise<void> {
  const child = spawn('nft', ['-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  child.stdin.on('error', () => {});
  child.stdin.end(commands);
  type End = [code: number | null, signal: NodeJS.Signals | null];
  const [code, signal] = await new Promise<End>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...end) => resolve(end));
  }).catch((error: Error) => {
    throw new Error(`nft cannot be run; install nftables: ${error.message}`, { cause: error });
  });
  if (signal)
    throw new Error(`nft was ended by ${signal}: does "nft list ruleset" fail, too? ${complaint}`.trim());
  if (code !== 0) throw new Error(`nft refused: ${complaint.trim()}`);
}
