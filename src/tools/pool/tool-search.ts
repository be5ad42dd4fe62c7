import { z } from 'zod';
import type { ToolResultBlock } from '../../core/messages.js';
import { allowCoordination } from '../allow-coordination.js';
import { completeTool } from '../complete-tool.js';
import { TOOL_SEARCH } from './deferral.js';
import { findTools } from './find-tools.js';

/** Longest query: room for the names of fifty tools. */
const MOST_CHARS = 4_000;

export const ToolSearchInput = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(MOST_CHARS)
    .describe('Keywords, "select:NAME,NAME", or "+WORD keywords" if WORD must be in the name'),
  max_results: z.int().min(1).max(50).default(5).describe('The most tools to find'),
});
export const ToolSearchOutput = z.lazy(() =>
  z.object({
    query: z.string(),
    matches: z.array(z.string()).readonly(),
    /** Names that the query selects and no deferred tool has; absent for none. */
    not_found: z.array(z.string()).readonly().optional(),
    total_deferred_tools: z.int(),
  }),
);
export type ToolSearchOutput = Readonly<z.infer<typeof ToolSearchOutput>>;

/** Finds deferred tools; their definitions are in the next request. */
export const ToolSearchTool = completeTool<typeof ToolSearchInput, ToolSearchOutput>({
  name: TOOL_SEARCH,
  searchHint: 'find deferred tools by name or keywords',
  alwaysLoad: true,
  inputSchema: ToolSearchInput,
  outputSchema: ToolSearchOutput,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  checkPermissions: () => allowCoordination('only looks through the tools of the agent'),
  description: ({ query }) => `Tools for "${query}"`,
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: contentOf(output),
  }),

  async call({ query, max_results }, { session: { deferredTools = [] } }) {
    const { matches, notFound } = await findTools(deferredTools, query, max_results);
    const data = { query, matches, total_deferred_tools: deferredTools.length };
    if (notFound.length === 0) return { data };
    const content = `ToolSearch did not find: ${notFound.join(', ')}. It only finds deferred tools.`;
    return { data: { ...data, not_found: notFound }, newMessages: [{ role: 'user', content }] };
  },
});

function contentOf(output: ToolSearchOutput): ToolResultBlock['content'] {
  const { query, matches, total_deferred_tools: total } = output;
  if (matches.length === 0)
    return `No deferred tool matches "${query}". Number of deferred tools: ${total}. Try other keywords.`;
  return matches.map((tool_name) => ({ type: 'tool_reference', tool_name })); // the API takes nothing beside them
}

const PROMPT = `Finds deferred tools. Their names are listed in the system prompt; their descriptions and inputs are not known until you find them here. You can call a tool that is found from your next message on.

- query "select:NAME" or "select:NAME,NAME" loads tools by name. Prefer it if you know the name.
- query "words of the task" ranks tools by name and description: "read spreadsheet", "slack message".
- query "+slack send" only finds tools with "slack" in the name, and ranks them by the other words.
- Search once for all that a task needs, before you say that something is not possible.`;
