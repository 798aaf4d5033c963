import { goValue, textOf } from '../go-values/go-value.ts';
import { printed } from '../go-values/print.ts';

/** A value of JSON as Go's `fmt.Sprint` writes it, which custom columns show: `map[app:web]`, `[a b]`, `<nil>`. */
export const goText = (value: unknown): string => textOf(printed(goValue(value)));
