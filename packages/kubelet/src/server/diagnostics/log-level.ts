import type { IncomingMessage, ServerResponse } from 'node:http';
import { verbosityBytesMax, verbosityMax } from '../../limits.ts';
import { answerText, HttpError } from '../answers.ts';

/** `PUT /debug/flags/v`: the body is the new level of the log, as `-v` has it. */
export async function serveLogLevel(
  request: IncomingMessage,
  response: ServerResponse,
  setVerbosity: ((level: number) => void) | undefined,
): Promise<void> {
  if (request.method !== 'PUT') throw new HttpError(406, 'unsupported http method');
  const text = await readText(request);
  const level = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(level <= verbosityMax)) {
    const asked = JSON.stringify(text);
    throw new HttpError(400, `${asked} is no verbosity: it is a whole number from 0 to ${verbosityMax}`);
  }
  if (!setVerbosity)
    throw new HttpError(501, 'the level of this log is set by the program that holds the kubelet');
  setVerbosity(level);
  answerText(response, `successfully set klog.logging.verbosity to ${text}\n`);
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += (chunk as Buffer).toString('latin1');
    if (text.length > verbosityBytesMax) throw new HttpError(400, 'the body is too long for a verbosity');
  }
  return text;
}
