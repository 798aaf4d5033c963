import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { candidateHasEnded, ownCandidacy } from './candidacy.ts';

it('a candidate of this machine that has ended is known, and one that lives or is elsewhere is not', () => {
  const own = ownCandidacy();
  assert.equal(candidateHasEnded(own), false);
  const module = new URL('./candidacy.ts', import.meta.url).pathname;
  const script = `import { ownCandidacy } from '${module}'; process.stdout.write(ownCandidacy())`;
  const ended = execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString();
  assert.equal(candidateHasEnded(ended), process.geteuid?.() === 0);
  assert.equal(candidateHasEnded(`elsewhere_${ended}`), false);
  assert.equal(candidateHasEnded('wherry-1'), false);
});
