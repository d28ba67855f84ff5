interface Part {
  readonly Limit: number;
  readonly Skip: number;
  readonly Count: number;
}

/** Which part of a list is shown, and the ways to its neighbours. */
export function Pager({ page, hrefAt }: { page: Part; hrefAt: (skip: number) => string }) {
  const { Limit, Skip, Count } = page;
  const last = Math.min(Count, Skip + Limit);
  const shown = `${Math.min(Skip + 1, last).toLocaleString('en-GB')}–${last.toLocaleString('en-GB')}`;
  return (
    <nav class="pager" aria-label="Pages">
      <span class="soft">
        {shown} of {Count.toLocaleString('en-GB')}
      </span>
      {Skip > 0 ? <a href={hrefAt(Math.max(0, Skip - Limit))}>Newer</a> : null}
      {last < Count ? <a href={hrefAt(last)}>Older</a> : null}
    </nav>
  );
}
