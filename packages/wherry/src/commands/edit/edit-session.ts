import type { KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { type FoundManifest, parseManifests } from '../../objects/manifests/manifests.ts';
import { EditedFile } from './edited-file.ts';
import type { EditedForm } from './edited-form.ts';
import { headerOf, isSame, linesOf, type Reason, textOf, withoutHeader } from './edited-text.ts';
import { editorOf, openIn } from './editor.ts';
import { EditResults } from './results.ts';

/** What is edited, and what becomes of it. */
export interface EditSessionOptions {
  objects: readonly KubeObject[];
  /** Of the file; default YAML. */
  output?: EditedForm | undefined;
  windowsLineEndings?: boolean;
  /** Does with the saved objects what the command is for. Throws what another look at the file can't mend. */
  store(saved: readonly FoundManifest[]): Promise<EditResults>;
}

/** Opens objects in an editor until what is saved is stored, or nothing new is saved. Throws `CommandError`; what was saved is then kept. */
export async function editObjects(options: EditSessionOptions): Promise<void> {
  const file = new EditedFile(options.output ?? 'yaml');
  try {
    await new EditSession(options, file).run();
  } finally {
    if (file.isChanged)
      console.error(`A copy of your changes has been stored to ${JSON.stringify(file.path)}`);
    else file.remove();
  }
}

/** A file that is opened until what it says is stored. */
class EditSession {
  readonly #options: EditSessionOptions;
  readonly #file: EditedFile;
  readonly #format: EditedForm;
  readonly #original: string;

  constructor(options: EditSessionOptions, file: EditedFile) {
    this.#options = options;
    this.#file = file;
    this.#format = options.output ?? 'yaml';
    this.#original = textOf(options.objects, this.#format);
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
      const results = objects instanceof EditResults ? objects : await this.#options.store(objects);
      if (results.isOver) return this.#end(results);
      ({ reasons } = results);
      refused = edited;
    }
  }

  /** What was saved stays in the file where it has not become of all objects. */
  #end({ failed, gone }: EditResults): void {
    if (failed + gone === 0) this.#file.remove();
    else process.exitCode = 1;
    if (failed > 0)
      console.error(`You can run "wherry replace -f ${this.#file.path}" to try this update again.`);
  }

  #cancel(why: string): void {
    this.#file.remove();
    console.error(`Edit cancelled, ${why}.`);
  }

  async #open(text: string, reasons: readonly Reason[]): Promise<string> {
    const whole = this.#format === 'json' ? text : `${headerOf(reasons)}${withoutHeader(text)}`;
    // JSON has no comments.
    if (this.#format === 'json')
      for (const { head, causes } of reasons) console.error([head, ...causes].join('\n* '));
    this.#file.write(this.#options.windowsLineEndings ? whole.replaceAll(/\r?\n/g, '\r\n') : whole);
    await openIn(editorOf(process.env), this.#file.path);
    return this.#file.read();
  }
}

/** The objects that the file says, or why it says none. */
function readObjects(edited: string): FoundManifest[] | EditResults {
  try {
    return parseManifests(edited, 'edited file');
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const results = new EditResults();
    results.reasons.push({ head: `The edited file had a syntax error: ${error.message}`, causes: [] });
    return results;
  }
}
