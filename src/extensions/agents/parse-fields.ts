import type { z } from 'zod';
import {
  describeRefusal,
  mainIssue,
  quotedField,
  withFullStop,
} from '../../core/text/describe-issue.js';

type Fault = { readonly field: string; readonly why: string };

/** The fields of a file, and those that are dropped; or the field because of which the file is refused. */
type ParsedFields<Data> =
  { readonly data: Data; readonly dropped: readonly Fault[] } | { readonly refused: Fault };

/**
 * Parse the fields of a file. An invalid value of a field that restricts nothing is dropped, as in other programs.
 *
 * @param whole name of what the file describes
 * @param droppable fields that restrict nothing
 */
export function parseFields<Data>(
  schema: z.ZodType<Data>,
  given: Readonly<Record<string, unknown>>,
  { whole, droppable }: { readonly whole: string; readonly droppable: readonly string[] },
  dropped: readonly Fault[] = [],
): ParsedFields<Data> {
  const { data, error } = schema.safeParse(given);
  if (error === undefined) return { data, dropped };
  const field = String(mainIssue(error)?.path[0] ?? '');
  const why = withFullStop(describeRefusal(error, given, quotedField(whole)));
  if (!droppable.includes(field)) return { refused: { field, why } };
  const { [field]: _, ...others } = given;
  return parseFields(schema, others, { whole, droppable }, [...dropped, { field, why }]);
}
