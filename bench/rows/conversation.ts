import type { ConversationInput } from '../conversation-run.js';
import type { Stretch } from '../meter.js';
import { describePairs, inMs, inTimes, measurePairs, ratiosOf } from '../pairs.js';
import { runProgram, withFake } from '../processes.js';
import type { Row } from '../row.js';
import type { Scenario } from '../scenario.js';

const TURNS = 50;
const MANY_TURNS = 300;
const WARM_UPS = 3;

/** One agent with one trivial tool against the bare loop. */
export const conversation: Row = {
  name: 'conversation',
  async measure({ pairs, profileFolder }) {
    const runs = await measurePairs(pairs, async (who) => {
      const [whole] = await converse(who, TURNS, profileFolder);
      if (whole === undefined) throw new Error('The conversation was not measured.');
      return whole;
    });
    const each = (pick: (stretch: Stretch) => number) =>
      runs.map(({ floor, ours }) => ({ floor: pick(floor) / TURNS, ours: pick(ours) / TURNS }));
    return [
      {
        what: `one agent, ${TURNS} turns of one tool: CPU a turn`,
        ...describePairs(
          each(({ cpuMs }) => cpuMs),
          inMs,
        ),
        goal: 'ratio ≤ 1.15',
        judged: { values: ratiosOf(each(({ cpuMs }) => cpuMs)), limit: 1.15 },
      },
      {
        what: 'the same: wall time a turn',
        ...describePairs(
          each(({ wallMs }) => wallMs),
          inMs,
        ),
        goal: '',
      },
    ];
  },
};

/** How the cost of a turn grows with the conversation. */
export const longConversation: Row = {
  name: 'long-conversation',
  async measure({ pairs, profileFolder }) {
    const growths = await measurePairs(pairs, async (who) => {
      const stretches = await converse(who, MANY_TURNS, profileFolder);
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

function converse(
  who: 'floor' | 'ours',
  turns: number,
  profileFolder: string | undefined,
): Promise<readonly Stretch[]> {
  return withFake(({ url }) => {
    const scenario: Scenario = { kind: 'echoes', turns };
    const input: ConversationInput = { url, warmUps: WARM_UPS, scenario, turnsInStretch: TURNS };
    return who === 'floor'
      ? runProgram('bare-loop', input)
      : runProgram('troupe-loop', input, { profileFolder });
  });
}
