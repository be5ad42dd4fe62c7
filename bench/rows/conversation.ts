import type { ConversationInput, ConversationResult } from '../conversation-run.js';
import { describePairs, inMs, inTimes, measurePairs, ratiosOf } from '../pairs.js';
import { runProgram, withFake } from '../processes.js';
import type { Line, Row } from '../row.js';

const TURNS = 50;
const MANY_TURNS = 300;
const WARM_UPS = 3;

type Work = Pick<
  ConversationInput,
  'scenario' | 'atOnce' | 'hasDefaultTools' | 'turnsInStretch' | 'warmUps'
>;
type Measure = {
  readonly what: string;
  readonly of: (result: ConversationResult) => number;
  readonly format: (value: number) => string;
  /** The ratio that must not be exceeded. */
  readonly limit?: number;
};

const cpuMs = ({ stretches }: ConversationResult): number =>
  stretches.reduce((sum, stretch) => sum + stretch.cpuMs, 0);
const wallMs = ({ stretches }: ConversationResult): number =>
  stretches.reduce((sum, stretch) => sum + stretch.wallMs, 0);

/** One agent with one trivial tool against the bare loop. */
const TURN: Work = { scenario: { kind: 'echoes', turns: TURNS }, warmUps: WARM_UPS };
export const conversation = rowOf('conversation', TURN, [
  {
    what: `one agent, ${TURNS} turns of one tool: CPU a turn`,
    of: (result) => cpuMs(result) / TURNS,
    format: inMs,
    limit: 0.95,
  },
  { what: 'the same: wall time a turn', of: (result) => wallMs(result) / TURNS, format: inMs },
]);

export const longResults = rowOf(
  'long-results',
  { scenario: { kind: 'echoes', turns: 200, resultChars: 1_000 }, warmUps: WARM_UPS },
  [
    {
      what: '200 turns with results of 1 KB: CPU a turn',
      of: (result) => cpuMs(result) / 200,
      format: inMs,
      limit: 0.95,
    },
  ],
);

const AGENTS = 100;
export const concurrentAgents = rowOf(
  'concurrent-agents',
  { scenario: { kind: 'echoes', turns: 5, uses: 2 }, atOnce: AGENTS, warmUps: WARM_UPS },
  [
    {
      what: `${AGENTS} agents at once, 5 turns of 2 tools: CPU each`,
      of: (result) => cpuMs(result) / AGENTS,
      format: inMs,
      limit: 1.3,
    },
    { what: 'the same: wall time of all', of: wallMs, format: inMs },
    {
      what: 'the same: growth of the resident set, each',
      of: ({ peakGrownMb }) => (peakGrownMb * 1_024) / AGENTS,
      format: (kb) => `${kb.toFixed(0)} KB`,
    },
  ],
);

export const subAgents = rowOf(
  'sub-agents',
  { scenario: { kind: 'sub-agents', count: 8, turns: 2, firstTokenMs: 50 }, warmUps: 0 },
  [
    {
      what: 'a parent with 8 sub-agents of 2 turns, 50 ms to a first token: wall time',
      of: wallMs,
      format: inMs,
      limit: 1.08,
    },
    { what: 'the same: CPU', of: cpuMs, format: inMs, limit: 1.5 },
  ],
);

/** How the cost of a turn grows with the conversation. */
export const longConversation: Row = {
  name: 'long-conversation',
  async measure({ pairs, profileFolder }) {
    const growths = await measurePairs(pairs, async (who) => {
      const { stretches } = await converse(
        who,
        { ...TURN, scenario: { kind: 'echoes', turns: MANY_TURNS }, turnsInStretch: TURNS },
        profileFolder,
      );
      const first = stretches[0];
      const last = stretches.at(-1);
      if (first === undefined || last === undefined || stretches.length * TURNS !== MANY_TURNS)
        throw new Error(`${stretches.length} stretches were measured.`);
      return last.cpuMs / first.cpuMs;
    });
    return [
      {
        what: `${MANY_TURNS} turns: CPU of the last ${TURNS} / the first ${TURNS}`,
        ...describePairs(growths, inTimes),
        goal: 'Troupe ≤ × 1.2',
        judged: { values: growths.map(({ ours }) => ours), limit: 1.2 },
      },
    ];
  },
};

/** Both ways: an agent with the tools of its scenario alone, and one that has the default tools beside them. */
function rowOf(name: string, work: Work, measures: readonly Measure[]): Row {
  return {
    name,
    async measure({ pairs, profileFolder }) {
      const lines: Line[] = [];
      for (const hasDefaultTools of [false, true]) {
        const runs = await measurePairs(pairs, (who) =>
          converse(who, { ...work, hasDefaultTools }, profileFolder),
        );
        const note = hasDefaultTools ? ' (default tools)' : '';
        lines.push(...measures.map((measure) => toLine(measure, runs, note)));
      }
      return lines;
    },
  };
}

function toLine(
  { what, of, format, limit }: Measure,
  runs: readonly { readonly floor: ConversationResult; readonly ours: ConversationResult }[],
  note: string,
): Line {
  const pairs = runs.map(({ floor, ours }) => ({ floor: of(floor), ours: of(ours) }));
  return {
    what: `${what}${note}`,
    ...describePairs(pairs, format),
    goal: limit === undefined ? '' : `ratio ≤ ${limit}`,
    ...(limit === undefined ? {} : { judged: { values: ratiosOf(pairs), limit } }),
  };
}

function converse(
  who: 'floor' | 'ours',
  work: Work,
  profileFolder: string | undefined,
): Promise<ConversationResult> {
  return withFake(({ url }) => {
    const input: ConversationInput = { url, ...work };
    return who === 'floor'
      ? runProgram('bare-loop', input)
      : runProgram('troupe-loop', input, { profileFolder });
  });
}
