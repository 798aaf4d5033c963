/** What a kustomization has gathered so far: objects, where transformers look, variables. */
import {
  emptyConfiguration,
  mergeConfigurations,
  type TransformerConfiguration,
} from '../configuration/transformer-configuration.ts';
import { KustomizeError } from '../errors.ts';
import { ResourceList } from '../model/resource-list.ts';
import { markSources, type Variable } from '../variables/variables.ts';

export class Accumulator {
  readonly resources = new ResourceList();
  readonly variables = new Map<string, Variable>();
  configuration: TransformerConfiguration = emptyConfiguration();

  addConfiguration(other: TransformerConfiguration): void {
    this.configuration = mergeConfigurations(this.configuration, other);
  }

  /** Throws KustomizeError for a variable that is there already, and for one that may mean several objects. */
  addVariables(variables: readonly Variable[]): void {
    markSources(this.resources, variables);
    for (const variable of variables) this.#addVariable(variable);
  }

  /** Takes in all of another. Throws KustomizeError where an object or a variable is there already. */
  absorb(other: Accumulator): void {
    this.resources.appendAll(other.resources.items);
    this.addConfiguration(other.configuration);
    for (const variable of other.variables.values()) this.#addVariable(variable);
  }

  #addVariable(variable: Variable): void {
    const { name = '' } = variable;
    if (this.variables.has(name)) throw new KustomizeError(`var '${name}' already encountered`);
    this.variables.set(name, variable);
  }
}
