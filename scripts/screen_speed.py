"""How long the terminal takes to answer a touch with a full table, measured in Chromium.

Needs the development build of the screens: `python hatch_build.py node node_modules/vite/bin/vite.js build
--mode demo`. For pointing at each bet and for placing a chip on it, it prints in milliseconds the processor
time that the page's main thread takes for the answer (scripts, styles, layout, painting), and the time by the
clock until the answer is drawn, which a busy machine lengthens.
"""

import functools
import http.server
import shutil
import sys
import threading
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import CDPSession, sync_playwright

BUILT: Final = Path(__file__).resolve().parents[1] / "web" / "dist-demo"
SIZES: Final = {"1920x1080": (1920, 1080), "1280x800": (1280, 800), "390x844": (390, 844)}

MEASURE: Final = """
async ([place, acts]) => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now());
    channel.port2.postMessage(null);
  }));
  const svg = document.querySelector('svg[aria-label="Betting layout"]');
  const box = svg.querySelectorAll('.spot')[place].getBoundingClientRect();
  const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true };
  const began = performance.now();
  for (const act of acts) svg.dispatchEvent(new PointerEvent(act, at));
  return await drawn() - began;
}
"""
"""From the touch until the browser has drawn the frame that answers it."""


def main() -> int:
    """Measures the fullest layout at each size."""
    if not (BUILT / "demo.html").is_file():
        print(__doc__, file=sys.stderr)
        return 2
    handler = functools.partial(_Quiet, directory=str(BUILT))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (width, height) in SIZES.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(f"http://127.0.0.1:{server.server_port}/demo.html?book=rws-000&scene=crowded")
            page.wait_for_selector(".spot")
            page.evaluate("() => { const p = SVGElement.prototype; p.setPointerCapture = () => undefined; }")
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            chips = page.locator("[data-stack] circle").count()
            bets = page.locator(".spot").count()
            for what, acts in (("point", ["pointermove"]), ("place", ["pointerdown", "pointerup"])):
                clock, thread = [], []
                for place in range(bets):
                    before = _thread_ms(session)
                    clock.append(page.evaluate(MEASURE, [place, acts]))
                    thread.append(_thread_ms(session) - before)
                print(f"{name} {what}, {bets} bets, {chips} circles of chips")
                print(f"  main thread {_told(thread)}; by the clock {_told(clock)}")
            page.close()
        browser.close()
    server.shutdown()
    return 0


def _thread_ms(session: CDPSession) -> float:
    """The processor time that the page's main thread has used so far."""
    metrics = {
        metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]
    }
    return 1000 * float(metrics["TaskDuration"])


def _told(times: list[float]) -> str:
    ordered = sorted(times)
    share = {name: ordered[int(part * (len(ordered) - 1))] for name, part in (("median", 0.5), ("95%", 0.95))}
    return ", ".join(f"{name} {ms:.1f}" for name, ms in share.items())


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:
        """Says nothing: the figures are the output."""


if __name__ == "__main__":
    sys.exit(main())
