/** The kustomizations of kustomize's own tests, read from its Go module where it stands. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from './cases/case.ts';

const headers = {
  WriteK: 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n',
  WriteC: 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n',
  WriteF: '',
} as const;

/** A call that writes a file, its content a plain text; or one that builds a folder. */
const calls =
  /th\.(WriteK|WriteC|WriteF)\(\s*"([^"]*)",\s*`([^`]*)`\s*\)|th\.Run(?:WithErr)?\(\s*"([^"]*)",|^func (Test\w+)|^}/gm;

/** One case for each folder that a test builds. */
export function krustyCases(module: string): Case[] {
  const folder = join(module, 'krusty');
  return readdirSync(folder)
    .filter((name) => name.endsWith('_test.go'))
    .flatMap((name) => casesOf(name, readFileSync(join(folder, name), 'utf8')));
}

function casesOf(source: string, text: string): Case[] {
  const cases: Case[] = [];
  let [test, files]: [string, Record<string, string>] = ['', {}];
  for (const [, write, path = '', content = '', built, name] of text.matchAll(calls)) {
    if (name !== undefined) [test, files] = [name, {}];
    else if (write !== undefined) {
      const isFolder = write !== 'WriteF';
      const file = isFolder ? join('root', path, 'kustomization.yaml') : join('root', path);
      files[file] = headers[write as keyof typeof headers] + content;
    } else if (built !== undefined && Object.keys(files).length > 0) {
      const number = cases.filter((one) => one.name.startsWith(`${source} ${test}`)).length;
      cases.push({
        name: `${source} ${test}${number === 0 ? '' : ` ${number + 1}`}`,
        files: { ...files },
        folder: join('root', built),
      });
    }
  }
  return cases;
}
