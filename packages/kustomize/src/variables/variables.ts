export interface Variable {
  name?: string;
}
