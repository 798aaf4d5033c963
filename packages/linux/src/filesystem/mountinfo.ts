import { readFileSync } from 'node:fs';

/** One line of /proc/PID/mountinfo (proc_pid_mountinfo(5)). */
export interface MountInfo {
  id: number;
  parentId: number;
  /** Device as "major:minor". */
  device: string;
  /** The folder of the file system that forms the root of this mount. */
  root: string;
  mountPoint: string;
  options: string[];
  /** Propagation tags such as "shared:7". */
  propagation: string[];
  type: string;
  source: string;
  superOptions: string[];
}

const decodeOctal = (text: string) =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

function parseLine(line: string): MountInfo {
  const fields = line.split(' ');
  const separator = fields.indexOf('-', 6);
  if (separator < 0) throw new SyntaxError(`mountinfo line without " - ": "${line}"`);
  const field = (index: number) => fields[index] ?? '';
  return {
    id: Number(field(0)),
    parentId: Number(field(1)),
    device: field(2),
    root: decodeOctal(field(3)),
    mountPoint: decodeOctal(field(4)),
    options: field(5).split(','),
    propagation: fields.slice(6, separator),
    type: field(separator + 1),
    source: decodeOctal(field(separator + 2)),
    superOptions: field(separator + 3).split(','),
  };
}

/** Parses the text of a mountinfo file. Throws SyntaxError on a line of another shape. */
export function parseMountInfo(text: string): MountInfo[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine);
}

/** The mounts that a process sees; by default this one. */
export function readMountInfo(pid: number | 'self' = 'self'): MountInfo[] {
  return parseMountInfo(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'));
}
