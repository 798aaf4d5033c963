import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const project = import.meta.dirname;
const folder = join(project, '../bin/java-clients');
const builtFile = join(folder, 'built');

/** Builds the program with Maven, unless it is built of these sources; throws with what is to be installed. */
export function buildJavaProgram(): void {
  for (const [program, words] of Object.entries({ java: ['--version'], mvn: ['--version'] })) {
    if (spawnSync(program, words).error)
      throw new Error(
        `no ${program} on PATH; install a JDK 17 or newer and Maven: openjdk-17-jdk-headless, maven`,
      );
  }
  const digest = digestOfSources();
  if (existsSync(builtFile) && readFileSync(builtFile, 'utf8') === digest) return;
  const words = ['--batch-mode', '--quiet', `-Dfolder=${folder}`, 'compile'];
  rmSync(folder, { recursive: true, force: true });
  execFileSync('mvn', words, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
  writeFileSync(builtFile, digest);
}

/** The words of `java` in front of the program's own. */
export function javaWords(): string[] {
  const classPath = `${join(folder, 'classes')}:${join(folder, 'libraries')}/*`;
  return [
    '-XX:TieredStopAtLevel=1',
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
    '-cp',
    classPath,
    'judge.Main',
  ];
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(['pom.xml', 'src/**/*.java'], { cwd: project }).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(project, file)));
  }
  return hash.digest('hex');
}
