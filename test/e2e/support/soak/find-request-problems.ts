import { comparePrefix } from '../../../../src/testing/compare-prefix.js';
import { textOf } from '../answers.js';
import type { Soak } from './run-soak.js';
import type { AgentLife } from './soak-journal.js';
import { blocksOf, isSummaryRequest, partOf } from './soak-player.js';

/** Requests that do not begin with the one before them, over all processes. */
export function findPrefixProblems(soak: Soak, lives: readonly AgentLife[]): readonly string[] {
  return lives.flatMap(({ mark, boundaries }) => {
    const broken = comparePrefix(
      requestsOf(soak, mark).map(({ body }) => body),
      boundaries,
    );
    return broken === undefined
      ? []
      : [
          `${mark}: request ${broken.request} at ${broken.part}: ${broken.before?.slice(0, 400)} → ${broken.after?.slice(0, 400)}`,
        ];
  });
}

/** The results and mail of an agent by its journal, and by its requests to the model: each one once. */
export function findRequestProblems(soak: Soak, lives: readonly AgentLife[]): readonly string[] {
  return lives.flatMap(({ mark, results, accepted }) => {
    const requests = requestsOf(soak, mark);
    const told = new Map<string, string>();
    const texts = new Set<string>();
    const problems: string[] = [];
    for (const { body } of requests)
      for (const block of blocksOf(body)) {
        if (block.type === 'tool_result')
          told.set(String(block['tool_use_id']), textOf(block['content']));
        else if (block.type === 'text') texts.add(textOf(block['text']));
      }
    for (const [id, text] of told)
      if (textOf(results.get(id)?.[0]?.content) !== text)
        problems.push(`${mark}: the result of ${id} was sent as ${text.slice(0, 100)}`);
    const newest = blocksOf(requests.at(-1)?.body ?? { model: '', messages: [] });
    for (const { id, content } of accepted) {
      const text = textOf(content);
      if (![...texts].some((one) => one.includes(text)))
        problems.push(`${mark}: mail ${id} was never told: ${text.slice(0, 80)}`);
      const times = newest.filter(
        (block) => block.type === 'text' && block['text'] === text,
      ).length;
      if (times > 1) problems.push(`${mark}: mail ${id} was sent ${times} times`);
    }
    return problems;
  });
}

function requestsOf({ plan, api }: Soak, mark: string) {
  return api.requests.filter(
    ({ body }) => !isSummaryRequest(body) && partOf(plan, body).mark === mark,
  );
}
