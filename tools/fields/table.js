/**
 * The form of a field table: for every field of every message that comes from outside, what is made of it. A field is
 * acted on, refused, warned of, or without effect by its nature; more than one may hold for different values.
 */
export {};
//# sourceMappingURL=table.js.map
