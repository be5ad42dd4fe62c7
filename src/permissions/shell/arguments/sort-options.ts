import type { KnownOptions } from './options.js';

/** The options of a read-only `sort`. */
export const SORT: KnownOptions = {
  flags: 'bdfgiMhnRrVcCmsuz',
  withValue: 'ktS',
  long: [
    'ignore-leading-blanks',
    'dictionary-order',
    'ignore-case',
    'general-numeric-sort',
    'ignore-nonprinting',
    'month-sort',
    'human-numeric-sort',
    'numeric-sort',
    'random-sort',
    'reverse',
    'version-sort',
    'check',
    'merge',
    'stable',
    'unique',
    'zero-terminated',
    'debug',
    'help',
    'version',
  ],
  longWithValue: [
    'key',
    'field-separator',
    'buffer-size',
    'sort',
    'check',
    'parallel',
    'batch-size',
  ],
};
