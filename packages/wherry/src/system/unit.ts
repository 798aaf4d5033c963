/** What a unit file is made of. */
export interface UnitParts {
  /** The program and its arguments, each as it stands. */
  words: readonly string[];
  /** What systemd shows of it. */
  description: string;
}

/**
 * The unit file of a node. Its end is that of the node's processes alone: containers run on, as those of a kubelet's
 * service do, and its next start finds them. `wherry down` is taken for an end that was wanted.
 */
export function unitFile({ words, description }: UnitParts): string {
  return [
    '[Unit]',
    `Description=${shown(description)}`,
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=notify',
    'NotifyAccess=all',
    `ExecStart=${words.map(quoted).join(' ')}`,
    'Restart=on-failure',
    'RestartSec=2',
    'TimeoutStartSec=300',
    'TimeoutStopSec=120',
    'KillMode=process',
    'Delegate=yes',
    'LimitNOFILE=1048576',
    'LimitNPROC=infinity',
    'LimitCORE=infinity',
    'TasksMax=infinity',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
}

/**
 * A text for people, in one line: what ends a line or joins the next one to it (systemd's reader takes a line feed, a
 * carriage return and a NUL for an end, a backslash in front of it for a joint) is a question mark.
 */
const shown = (text: string) => text.replace(/[\p{Cc}\\]/gu, '?').replaceAll('%', '%%');

const escapes = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  // What systemd would take for a specifier or a variable.
  ['%', '%%'],
  ['$', '$$'],
]);

/**
 * A word as a command line of systemd has it (systemd.service(5), "Command lines"). No control character stands in it as
 * it is: several of them end the line.
 */
export function quoted(word: string): string {
  return `"${word.replace(/[\\"%$\p{Cc}]/gu, (character) => escapes.get(character) ?? escaped(character))}"`;
}

/** The bytes of a character, as systemd's C-style escapes tell them. */
const escaped = (character: string) =>
  [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
