import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const busyboxPath = '/bin/busybox';

/**
 * Tools that critest runs and Debian's busybox lacks, over what the kernel shows; and what passes for nginx where specs
 * look for its name, its pid file and the words "master process" among its arguments.
 */
const scripts: Record<string, string> = {
  pgrep: `#!/bin/sh
found=1
for folder in /proc/[0-9]*; do
  read -r name < "$folder/comm" 2>/dev/null || continue
  [ "$name" = "$1" ] && echo "\${folder#/proc/}" && found=0
done
exit $found
`,
  nginx: '#!/bin/sh\necho $$ > /var/run/nginx.pid\nhttpd -f -p 80 -h /www &\nwait\n',
  ipcs: '#!/bin/sh\ncat /proc/sysvipc/shm\n',
};

const passwd = `root:x:0:0:root:/root:/bin/sh
www-data:x:33:33:www-data:/var/www:/bin/false
default-user:x:1000:1000::/home:/bin/sh
nobody:x:65534:65534:nobody:/:/bin/false
`;
const group = `root:x:0:
www-data:x:33:
default-user:x:1000:
group-defined-in-image:x:50000:default-user
nobody:x:65534:
`;

/**
 * Makes the root file system of the test images: busybox-static under all its names. Hard links, not symbolic ones:
 * a spec hides /bin/ls alone, and through a symbolic link it would hide every applet.
 */
export function makeBusyboxTree(root: string): void {
  for (const name of ['bin', 'etc', 'root', 'home', 'var/run', 'www'])
    mkdirSync(join(root, name), { recursive: true });
  mkdirSync(join(root, 'tmp'), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  copyFileSync(busyboxPath, join(root, 'bin/busybox'));
  for (const applet of execFileSync(busyboxPath, ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
    if (!existsSync(join(root, 'bin', applet)))
      linkSync(join(root, 'bin/busybox'), join(root, 'bin', applet));
  }
  for (const [name, text] of Object.entries(scripts))
    writeFileSync(join(root, 'bin', name), text, { mode: 0o755 });
  writeFileSync(join(root, 'etc/passwd'), passwd);
  writeFileSync(join(root, 'etc/group'), group);
  writeFileSync(join(root, 'www/index.html'), 'served from a test image\n');
}
