/** What a server does with fields that it does not know, and with those that stand there twice. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';
