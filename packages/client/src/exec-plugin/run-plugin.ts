import { spawn } from 'node:child_process';
import { systemMessage } from '../config/system-message.ts';
import { limits } from '../limits.ts';

/** How a plugin is run. */
export interface RunPluginOptions {
  /** As the kubeconfig calls it. */
  command: string;
  /** The file that this means. */
  program: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** True hands this process's stdin to it. */
  interactive: boolean;
  installHint?: string | undefined;
}

const notInstalled =
  '\n\nIt looks like you are trying to use a client-go credential plugin that is not installed.\n\n' +
  'To learn more about this feature, consult the documentation available at:\n' +
  '      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins';

/** Runs a plugin and gives back what it printed; its stderr goes to ours. Rejects in the words of client-go. */
export function runPlugin(options: RunPluginOptions): Promise<string> {
  const { command, program, args, environment, interactive } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      argv0: command,
      env: environment,
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    let length = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limits.pluginOutputBytesMax) chunks.push(chunk);
      else child.kill('SIGKILL');
    });
    child.once('error', (error) => reject(startFailure(error, options)));
    child.once('close', (exitCode) => {
      if (length > limits.pluginOutputBytesMax) {
        reject(
          new Error(`exec: executable ${command} printed more than ${limits.pluginOutputBytesMax} bytes`),
        );
      } else if (exitCode !== 0) {
        // A signal is -1, as Go counts it.
        reject(new Error(`exec: executable ${command} failed with exit code ${exitCode ?? -1}`));
      } else resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
}

function startFailure(error: Error, { command, installHint }: RunPluginOptions): Error {
  const isPath = command.includes('/');
  const message = isPath
    ? `exec: fork/exec ${command}: ${systemMessage(error)}`
    : `exec: executable ${command} not found${notInstalled}${hint(installHint)}`;
  return new Error(message, { cause: error });
}

/** Control characters would act on the terminal: they are spelled out. */
function hint(text: string | undefined): string {
  if (!text) return '';
  const spelled = text.replaceAll(
    /(?![\t-\r])\p{C}/gu,
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `\n\n${spelled}`;
}
