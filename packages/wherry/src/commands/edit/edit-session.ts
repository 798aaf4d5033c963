import type { KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import type { FoundObject } from '../../objects/find-objects.ts';
import { withLastApplied } from '../../objects/manifests/last-applied.ts';
import { parseManifests } from '../../objects/manifests/manifests.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { changeTo, sendChange } from './change.ts';
import type { EditedFile } from './edited-file.ts';
import { headerOf, isSame, linesOf, type Reason, textOf, withoutHeader } from './edited-text.ts';
import { editorOf, openIn } from './editor.ts';
import type { EditFlags } from './flags.ts';
import { EditResults } from './results.ts';

/** What an {@link EditSession} is made of. */
export interface EditSessionOptions {
  client: KubeClient;
  flags: EditFlags;
  /** As the server has them. */
  objects: readonly FoundObject[];
  file: EditedFile;
}

/** A file that is opened until the server takes what it says. */
export class EditSession {
  readonly #options: EditSessionOptions;
  readonly #format: 'json' | 'yaml';
  readonly #original: string;

  constructor(options: EditSessionOptions) {
    this.#options = options;
    this.#format = options.flags.output ?? 'yaml';
    this.#original = textOf(
      options.objects.map(({ object }) => object),
      this.#format,
    );
  }

  /** Throws `CommandError`; what was saved and has not become of the objects is then still in the file. */
  async run(): Promise<void> {
    let refused: string | undefined;
    let reasons: Reason[] = [];
    for (;;) {
      const edited = await this.#open(refused ?? this.#original, reasons);
      if (refused !== undefined && isSame(refused, edited))
        throw new CommandError('Edit cancelled, no valid changes were saved.');
      if (isSame(this.#original, edited)) return this.#cancel('no changes made');
      if (linesOf(edited).length === 0) return this.#cancel('saved file was empty');
      const objects = readObjects(edited);
      const results = objects instanceof EditResults ? objects : await this.#change(objects);
      if (results.isOver) return this.#end(results);
      ({ reasons } = results);
      refused = edited;
    }
  }

  /** What was saved stays in the file where it has not become of all objects. */
  #end({ failed, gone }: EditResults): void {
    const { file } = this.#options;
    if (failed + gone === 0) file.remove();
    else process.exitCode = 1;
    if (failed > 0) console.error(`You can run "wherry replace -f ${file.path}" to try this update again.`);
  }

  #cancel(why: string): void {
    this.#options.file.remove();
    console.error(`Edit cancelled, ${why}.`);
  }

  async #open(text: string, reasons: readonly Reason[]): Promise<string> {
    const { file, flags } = this.#options;
    const whole = this.#format === 'json' ? text : `${headerOf(reasons)}${withoutHeader(text)}`;
    // JSON has no comments.
    if (this.#format === 'json')
      for (const { head, causes } of reasons) console.error([head, ...causes].join('\n* '));
    file.write(flags.windowsLineEndings ? whole.replaceAll(/\r?\n/g, '\r\n') : whole);
    await openIn(editorOf(process.env), file.path);
    return file.read();
  }

  async #change(objects: readonly KubeObject[]): Promise<EditResults> {
    const { client, flags, objects: originals } = this.#options;
    const tell = outcomePrinter(flags);
    const results = new EditResults();
    // All of them are looked at before any is sent.
    const changes = objects.map((object) =>
      changeTo(flags.saveConfig ? withLastApplied(object) : object, originals),
    );
    for (const change of changes) {
      const { resource } = change.before;
      try {
        const object = await sendChange(client, change, flags);
        tell({ resource, object, done: change.patch ? 'edited' : 'skipped' });
      } catch (error) {
        results.add(error, change.before);
      }
    }
    return results;
  }
}

/** The objects that the file says, or why it says none. */
function readObjects(edited: string): KubeObject[] | EditResults {
  try {
    return parseManifests(edited, 'edited file').map(({ object }) => object as KubeObject);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const results = new EditResults();
    results.reasons.push({ head: `The edited file had a syntax error: ${error.message}`, causes: [] });
    return results;
  }
}
