/** One field: number, camelCase name, scalar type or message name or `enum`, and its shape. */
export type FieldSchema = readonly [id: number, name: string, type: string, shape: string];

/** A message's fields in the order of the schema. */
export type MessageSchema = readonly FieldSchema[];

/** One method: its name in gRPC's path, the request and the response message, and whether the response is a stream. */
export type MethodSchema = readonly [wireName: string, request: string, response: string, stream: boolean];

/** A gRPC API: its package, its messages, and its services by method in camelCase. */
export interface GrpcSchema {
  /** As it stands in the paths of calls: `runtime.v1`; '' for none. */
  package: string;
  messages: Readonly<Record<string, MessageSchema>>;
  services: Readonly<Record<string, Readonly<Record<string, MethodSchema>>>>;
}
