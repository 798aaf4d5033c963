import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { describeExamples } from '../../../tools/example-suite.ts';

// The examples' output is fixed for a machine without a cluster.
const home = mkdtempSync(join(tmpdir(), 'wherry-home-'));
process.env['HOME'] = home;
delete process.env['KUBECONFIG'];
delete process.env['KUBERNETES_SERVICE_HOST'];
after(() => rmSync(home, { recursive: true, force: true }));

describe('examples', () => describeExamples(import.meta.dirname));
