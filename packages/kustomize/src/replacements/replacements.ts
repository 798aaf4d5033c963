export interface ReplacementEntry {
  path?: string;
}
