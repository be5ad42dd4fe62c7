import { unmistakable } from '../core/text/printable.js';
import { totalTokens } from '../core/tasks/usage.js';
import type { LiveBudget } from '../cli/web/live-troupes.js';
import type { Use } from '../view/cost.js';
import { selectUsage } from '../view/select-usage.js';
import { chosenSession, costOf, live, until, view } from './state.js';
import { count, usd } from './words.js';

/** Limits of the running session, and its use by agent and by model. */
export function Budget() {
  const { byAgent, byModel, total } = selectUsage(view.value, costOf);
  const budgets = live.value.troupes
    .flatMap((troupe) => troupe.budgets)
    .filter(({ session }) => session === chosenSession.value);
  return (
    <>
      <p class="facts">
        {count(totalTokens(total.usage))} tokens · {usd(total.usd)} · {total.requests} requests
      </p>
      {until.value === undefined
        ? budgets.map((one) => <Limits key={one.task} budget={one} />)
        : null}
      <UseTable
        of="Agent"
        rows={byAgent.map((use) => ({ ...use, id: use.agent.id, name: use.agent.name }))}
      />
      <UseTable
        of="Model"
        rows={byModel.map((use) => ({ ...use, id: use.model, name: use.model }))}
      />
    </>
  );
}

const UNITS = ['usd', 'tokens', 'turns'] as const;

function Limits({ budget: { name, cap, used, reserved } }: { readonly budget: LiveBudget }) {
  return (
    <>
      {UNITS.map((unit) => {
        const limit = cap[unit];
        if (limit === undefined) return null;
        const say = unit === 'usd' ? usd : count;
        const [spent, held] = [used[unit] ?? 0, reserved[unit] ?? 0];
        return (
          <div key={unit} class="limit">
            <span>
              <bdi>{unmistakable(name)}</bdi>: {say(spent)} used, {say(held)} reserved of{' '}
              {say(limit)}
              {unit === 'usd' ? '' : ` ${unit}`}
            </span>
            <meter
              aria-label={`${unit} of ${unmistakable(name)}, used and reserved`}
              min={0}
              max={limit}
              high={limit * 0.8}
              value={spent + held}
            />
          </div>
        );
      })}
    </>
  );
}

type Row = Use & { readonly id: string; readonly name: string };

/** Most rows that are drawn. */
const MOST_ROWS = 50;

function UseTable({ of, rows }: { readonly of: string; readonly rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{of}</th>
          <th scope="col" class="number">
            Requests
          </th>
          <th scope="col" class="number">
            Tokens
          </th>
          <th scope="col" class="number">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, MOST_ROWS).map(({ id, name, usage, usd: amount, requests }) => (
          <tr key={id}>
            <th scope="row">
              <bdi>{unmistakable(name)}</bdi>
            </th>
            <td class="number">{requests}</td>
            <td class="number">{count(totalTokens(usage))}</td>
            <td class="number">{amount === undefined ? '–' : usd(amount)}</td>
          </tr>
        ))}
        {rows.length > MOST_ROWS ? (
          <tr>
            <td colSpan={4}>{rows.length - MOST_ROWS} more</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}
