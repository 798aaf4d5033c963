/**
 * The process that every container's first process is a child of: a static program of some 500 bytes, made here so that
 * it needs no compiler and next to no memory. Monitors come and go above it.
 *
 *     keeper PROGRAM ARGUMENTS…     descriptor 3: a pipe to tell by; from 4 on: what is to be kept open
 *
 * It runs the program as a child on its own stdio, which it closes then, as the subreaper of what the program leaves
 * behind (the container's first process), and does not reap that. It tells by messages of 32 bytes (see report.ts) when
 * the program was started, when it ended, and when the container's first process did. Then it sleeps until it is killed.
 * Without a program it only sleeps.
 *
 * What the container's orphans are left to is the next subreaper above, a monitor, which reaps them. The program gets no
 * descriptor beside its stdio.
 */
import { tinyProgram } from '@wherry/linux';
import { MonitorError } from '@wherry/monitor-api';

/** Machine code of one step in the order of the bytes in memory, and what it does. */
type Step = readonly [code: string, does: string];

const x64: readonly Step[] = [
  ['4889e5', 'where the arguments are'],
  ['b8700000000f05', 'setsid()'],
  ['48837d00010f84e2000000', 'nothing to run: rest'],
  ['b89d000000bf24000000be0100000031d24531d24531c00f05', 'prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)'],
  ['4881ec00010000', 'room for the message, and behind 64 bytes for info'],
  ['b8270000000f0589442408', 'message.keeper = getpid()'],
  ['b8390000000f0585c00f84b1000000', 'pid = fork(); the child goes to child'],
  ['4189c4c704240100000089442404', 'message = { 1, pid }'],
  ['e8d5000000', 'tell'],
  ['b8b401000031ffbe0200000031d20f05', 'close_range(0, 2, 0)'],
  ['b83d0000004489e7488d74240431d24531d20f05', 'wait4(pid, &message.value, 0, NULL)'],
  ['b89d000000bf2400000031f631d24531d24531c00f05', 'prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)'],
  ['c7042402000000e88f000000', 'message.kind = 2; tell'],
  ['b8f700000031ff31f6488d54244041ba040000014531c00f05', 'waitid(P_ALL, 0, &info, WEXITED | WNOWAIT, NULL)'],
  ['85c07532', 'no child: rest'],
  [
    'c70424030000008b442450894424048b442448894424088b4424588944240c',
    'message = { 3, si_pid, si_code, si_status }',
  ],
  ['b8e400000031ff488d7424100f05', 'clock_gettime(CLOCK_REALTIME, &message.time)'],
  ['e840000000', 'tell'],
  ['b8220000000f05ebf7', 'rest: sleep, again'],
  ['b8b4010000bf03000000beffffffff31d20f05', 'child: close_range(3, ~0, 0)'],
  ['488b4500488b7d10488d7510488d54c510b83b0000000f05', 'execve(argv[1], argv + 1, environment)'],
  ['b83c000000bf7f0000000f05', 'exit(127)'],
  ['b801000000bf03000000488d742408ba200000000f05c3', 'tell: write(3, &message, 32); return'],
];

const arm64: readonly Step[] = [
  ['f3030091', 'where the arguments are'],
  ['a81380d2010000d4', 'setsid()'],
  ['600240f91f0400f180080054', 'nothing to run: rest'],
  ['e81480d2800480d2210080d2020080d2030080d2040080d2010000d4', 'prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)'],
  ['ff0304d1', 'room for the message, and behind 64 bytes for info'],
  ['881580d2010000d4e00b00b9', 'message.keeper = getpid()'],
  [
    '881b80d2200280d2010080d2020080d2030080d2040080d2010000d4000700b4',
    'pid = fork(); the child goes to child',
  ],
  ['f403002ae00700b921008052e10300b9', 'message = { 1, pid }'],
  ['41000094', 'tell'],
  ['883680d2000080d2410080d2020080d2010000d4', 'close_range(0, 2, 0)'],
  ['882080d2e00314aae1130091020080d2030080d2010000d4', 'wait4(pid, &message.value, 0, NULL)'],
  ['e81480d2800480d2010080d2020080d2030080d2040080d2010000d4', 'prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)'],
  ['41008052e10300b92c000094', 'message.kind = 2; tell'],
  [
    'e80b80d2000080d2010080d2e2030191830080d20320a0f2040080d2010000d4',
    'waitid(P_ALL, 0, &info, WEXITED | WNOWAIT, NULL)',
  ],
  ['c00100b5', 'no child: rest'],
  [
    '61008052e10300b9e15340b9e10700b9e14b40b9e10b00b9e15b40b9e10f00b9',
    'message = { 3, si_pid, si_code, si_status }',
  ],
  ['280e80d2000080d2e1430091010000d4', 'clock_gettime(CLOCK_REALTIME, &message.time)'],
  ['16000094', 'tell'],
  ['280980d2000080d2010080d2020080d2030080d2010000d4faffff17', 'rest: sleep, again'],
  ['883680d2600080d201008012020080d2010000d4', 'child: close_range(3, ~0, 0)'],
  ['630240f9600a40f961420091220c038ba81b80d2010000d4', 'execve(argv[1], argv + 1, environment)'],
  ['a80b80d2e00f80d2010000d4', 'exit(127)'],
  ['080880d2600080d2e1030091020480d2010000d4c0035fd6', 'tell: write(3, &message, 32); return'],
];

const codeOf = (steps: readonly Step[]) => Buffer.from(steps.map(([code]) => code).join(''), 'hex');

/** The program as an ELF file. Throws `FAILED_PRECONDITION` on processors that it is not written for. */
export function keeperProgram(architecture: string = process.arch): Buffer {
  const program = tinyProgram({ x64: codeOf(x64), arm64: codeOf(arm64) }, architecture);
  if (program) return program;
  throw new MonitorError('FAILED_PRECONDITION', `containers are not supported on ${architecture}`);
}
