/** What the expressions of policies may name, and which fields that has. */
import type { EnvironmentOptions } from '../environment.ts';
import { authorizerType, resourceCheckType } from '../kubernetes/authorization.ts';
import { fieldTypesOf } from '../schema/declared-type.ts';
import { objectNamed, type Type } from '../types.ts';
import { namespaceType, requestType } from './inputs.ts';

/** The type of `variables`. */
export const variablesType = objectNamed('kubernetes.variables');

const ofRequest = fieldTypesOf(requestType);
const ofNamespace = fieldTypesOf(namespaceType);

/** What is known of a policy's inputs. */
export interface PolicyVariablesOptions {
  /** Of `object` and `oldObject`. */
  object: Type;
  /** Undefined: the policy has no parameters. */
  params: Type | undefined;
  /** Of `variables.NAME`. Undefined: there are no `variables`. */
  variableType: ((name: string) => Type | undefined) | undefined;
  /** Fields of the types above. None unless said otherwise. */
  fieldType?(owner: string, field: string): Type | undefined;
  /** False for what words a message: nobody is asked about access for it. Default true. */
  hasAuthorizer?: boolean;
}

export function policyVariables({
  object,
  params,
  variableType,
  fieldType,
  hasAuthorizer = true,
}: PolicyVariablesOptions): Required<Pick<EnvironmentOptions, 'variables' | 'fieldType'>> {
  return {
    variables: {
      ...{ object, oldObject: object, request: requestType.type, namespaceObject: namespaceType.type },
      ...(variableType ? { variables: variablesType } : {}),
      ...(params ? { params } : {}),
      ...(hasAuthorizer
        ? { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType }
        : {}),
    },
    fieldType: (owner, field) =>
      owner === variablesType.name
        ? variableType?.(field)
        : (ofRequest(owner, field) ?? ofNamespace(owner, field) ?? fieldType?.(owner, field)),
  };
}
