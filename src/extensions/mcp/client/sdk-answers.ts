import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { describeRefusal, quotedField } from '../../../core/text/describe-issue.js';

export type McpCallResult = CallToolResult;

/** Most pages of one listing; a server that sends more repeats itself. */
const MAX_PAGES = 1_000;

type Limits = { readonly signal: AbortSignal; readonly timeout: number };

/** @throws TypeError that says which part of a server's answer is invalid */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  said: unknown,
  asked: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(said);
  if (error === undefined) return data;
  const why = describeRefusal(error, said, quotedField('it'));
  throw new TypeError(`its answer to ${asked} is invalid: ${why}`);
}

/** Read all pages of a list. @throws Error if the server repeats a page */
export async function readPages<Page extends { readonly nextCursor?: string | undefined }>(
  client: Client,
  method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list',
  schema: z.ZodType<Page>,
  limits: Limits,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const said = await client.request(
      { method, params: cursor === undefined ? {} : { cursor } },
      ResultSchema,
      limits,
    );
    const page = readAnswer(schema, said, method);
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= MAX_PAGES))
      throw new Error(
        `its list of ${method.slice(0, -'/list'.length).replace('/', ' ')} never ends: the page "${cursor}" was sent twice`,
      );
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return pages;
}
