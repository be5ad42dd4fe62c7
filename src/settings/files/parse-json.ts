import { tryParseJson } from '../../core/json/try-parse-json.js';
import type { z } from 'zod';
import { describeRefusal, mainIssue, quotedField } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import { parseJsonWithPositions } from './json-positions.js';

/**
 * Parse JSON text by a schema. Positions are computed only if there is a fault.
 *
 * @param file name of the text in an error.
 * @param whole name of the whole value in an error.
 * @throws UsageError with file, line and column of the fault.
 */
export function parseJsonAs<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  { file, whole }: { readonly file: string; readonly whole: string },
): z.output<Schema> {
  const body = withoutByteOrderMark(text);
  const plain = schema.safeParse(tryParseJson(body));
  if (plain.success) return plain.data;
  const json = parseJsonWithPositions(body);
  if (!json.ok) {
    const { message, line, column } = json;
    throw new UsageError(`This is not JSON: ${message}.`, { file, line, column });
  }
  const parsed = schema.safeParse(json.value); // the text may have comments
  if (parsed.success) return parsed.data;
  const { error } = parsed;
  throw new UsageError(describeRefusal(error, json.value, quotedField(whole)), {
    file,
    ...json.positionOf(mainIssue(error)?.path ?? []),
  });
}

export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
