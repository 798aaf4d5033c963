import { check, declare } from '../native.ts';

const ioctlBuffer = declare('int ioctl(int descriptor, ulong request, void *buffer)');
const setWindowSize = 0x5414;

/** Columns and rows of a terminal. */
export interface TerminalSize {
  width: number;
  height: number;
}

/** Sets a terminal's size (TIOCSWINSZ): its foreground processes get SIGWINCH. */
export function setTerminalSize(descriptor: number, size: TerminalSize): void {
  const winsize = Buffer.alloc(8);
  winsize.writeUInt16LE(size.height, 0);
  winsize.writeUInt16LE(size.width, 2);
  check('ioctl TIOCSWINSZ', ioctlBuffer(descriptor, setWindowSize, winsize), `${size.width}x${size.height}`);
}
