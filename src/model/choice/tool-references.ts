import type { ModelErrorClass } from '../errors/model-error.js';

/** The first version of every family whose requests may have `tool_reference` blocks. */
const FIRST = { major: 4, minor: 5 };

/** The version behind the family: `claude-opus-4-6`, `claude-sonnet-4.5`, `claude-haiku-5-5-20260601`. */
const VERSION = /claude-[a-z]+-(?<major>\d{1,2})(?:[-.](?<minor>\d{1,2}))?(?!\d)/i;

/**
 * Whether a model takes `tool_reference` blocks, and so can have deferred tools. By
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool (2026-11) these are all models since
 * Claude 4.5. A model whose ID shows no version counts as one that does not: all tools at once are always right.
 *
 * @param model an ID, as an endpoint or a gateway names it
 */
export function takesToolReferences(model: string): boolean {
  const { major, minor = '0' } = VERSION.exec(model)?.groups ?? {};
  if (major === undefined) return false;
  const ahead = Number(major) - FIRST.major;
  return ahead > 0 || (ahead === 0 && Number(minor) >= FIRST.minor);
}

/** Which models take references at an endpoint: by their ID, until the endpoint refuses a request because of them. */
export interface ToolReferences {
  areTaken(model: string): boolean;
  /** Note the error of a request that had references. Return what changes for the next one, if it was due to them. */
  note(model: string, error: Pick<ModelErrorClass, 'status' | 'message'>): string | undefined;
}

export function createToolReferences(): ToolReferences {
  const refused = new Set<string>();
  return {
    areTaken: (model) => takesToolReferences(model) && !refused.has(model),
    note(model, { status, message }) {
      if (status === undefined || status >= 500 || !NAMES_REFERENCES.test(message))
        return undefined;
      refused.add(model);
      return 'From now on all tools are sent at once.';
    },
  };
}

/** The block and the field that requests with found tools have, as gateways name them in errors. */
const NAMES_REFERENCES = /tool_reference|defer_loading/;
