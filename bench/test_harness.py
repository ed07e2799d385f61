"""The parts of the bench that decide: models, ratios, verdicts, and whether sides did the same job. What is measured is not tested here."""

from pathlib import Path

import models
import onnx
import pytest
from harness import rounds
from harness.report import ratio_text, table, time_text
from harness.rounds import Measured, Series, Timed
from harness.rows import Floor, Part, Peer, PerItem, Row, State, Within, all_rows
from harness.verdict import Line, best_quarter, lines_of
from harness.workers import Crew, Programs
from regions import python_acts, weights_acts

import onnx_light.onnx as onnxl

FILE = Path("n.onnx")


def answers(*walls: float, cpu: float | None = None, moved: int = 0) -> Series:
    samples = [{"ns": wall, "cpu_ns": wall if cpu is None else cpu, "bytes_moved": moved} for wall in walls]
    return Series(samples, {"items": 10, "bytes": 1000})


def lines(part: Part, **series: Series) -> list[Line]:
    by_region = {Timed(name.replace("__", "."), FILE, part.state): found for name, found in series.items()}
    return lines_of(1, part, lambda _: FILE, Measured(by_region, {}))


def test_a_figure_is_the_mean_of_the_best_quarter_rounded_up() -> None:
    assert best_quarter([9.0, 1.0, 2.0, 3.0, 4.0, 8.0, 7.0, 6.0]) == 1.5
    assert best_quarter([5.0, 1.0, 3.0, 9.0, 7.0]) == 2.0


@pytest.mark.parametrize(("ours", "verdict"), [(20.0, "goal"), (30.0, "gate"), (40.0, "FAIL")])
def test_goal_and_gate_decide_and_only_a_missed_gate_fails_the_run(ours: float, verdict: str) -> None:
    (line,) = lines(Part("", "N", "ours.x", [Peer("peer.x", 1 / 4, 1 / 3)]), ours__x=answers(ours), peer__x=answers(100.0))
    assert (line.verdict, line.failed) == (verdict, verdict == "FAIL")


def test_a_side_may_act_on_a_model_of_its_own() -> None:
    part = Part("", "N", "ours.x", [Peer("ours.x", 1.2, 1.2, model="K")])
    large, small = (Timed("ours.x", Path(name), part.state) for name in "NK")
    (line,) = lines_of(1, part, Path, Measured({large: answers(11.0), small: answers(10.0)}, {}))
    assert (line.ours, line.peer, line.verdict) == (11.0, 10.0, "goal")


def test_processor_time_alone_meets_a_bound() -> None:
    (line,) = lines(Part("", "N", "ours.x", [Peer("peer.x", 1 / 4, 1 / 3)]), ours__x=answers(90.0, cpu=10.0), peer__x=answers(100.0))
    assert line.verdict == "goal"


def test_more_bytes_moved_than_the_peer_meet_no_bound() -> None:
    part = Part("", "N", "ours.x", [Peer("peer.x", 1 / 4, 1 / 3)])
    (line,) = lines(part, ours__x=answers(1.0, moved=1 << 20), peer__x=answers(100.0))
    assert (line.verdict, line.moved_more) == ("FAIL", True)


def test_bytes_are_not_compared_with_a_peer_that_maps_its_file() -> None:
    part = Part("", "N", "ours.x", [Peer("peer.x", 1 / 4, 1 / 3, maps=True)])
    (line,) = lines(part, ours__x=answers(1.0, moved=1 << 20), peer__x=answers(100.0))
    assert (line.verdict, line.moved_more) == ("goal", False)


def test_a_missed_floor_is_told_and_fails_nothing() -> None:
    (line,) = lines(Part("", "N", "ours.x", [Floor("floor.x", 2)]), ours__x=answers(300.0), floor__x=answers(100.0))
    assert (line.verdict, line.failed) == ("short", False)


def test_a_figure_for_each_item_is_held_against_the_number_of_items() -> None:
    within, beyond = lines(Part("", "N", "ours.x", [PerItem(40), PerItem(20)]), ours__x=answers(300.0))
    assert (within.verdict, beyond.verdict) == ("goal", "short")


def test_an_act_that_has_to_end_within_a_time_fails_the_run_if_it_does_not() -> None:
    within, beyond = lines(Part("", "N", "ours.x", [Within(400), Within(200)]), ours__x=answers(300.0))
    assert (within.verdict, within.failed, beyond.verdict, beyond.failed) == ("goal", False, "FAIL", True)


def test_what_is_not_built_is_said_and_a_wrong_result_fails_the_run() -> None:
    part = Part("", "N", "ours.x", [Peer("peer.x", 1 / 4, 1 / 3)])
    (missing,) = lines(part, ours__x=Series([], {"error": "LookupError: not built: no onnx_light"}), peer__x=answers(1.0))
    (wrong,) = lines(part, ours__x=Series([], {"error": "the copy differs"}), peer__x=answers(1.0))
    assert (missing.verdict, missing.failed) == ("not built", False)
    assert (wrong.verdict, wrong.failed) == ("error", True)
    assert "not built" in table([missing])


def test_ratios_and_times_read_as_people_say_them() -> None:
    assert [ratio_text(value) for value in (0.2, 1 / 3, 1.0, 2.5, None)] == ["1/5", "1/3", "1", "2.5", ""]
    assert time_text(1234567.0, 10) == "1.23 ms (123457 ns each)"


def test_every_row_names_a_model_that_can_be_made_and_holds_ours_against_something() -> None:
    for number, row in all_rows().items():
        assert row.number == number
        assert row.models() <= set(models.MODELS)
        for part in row.parts:
            assert part.against, part
            assert part.ours.startswith("ours")
            assert part.state in State


@pytest.mark.parametrize("name", list(models.MODELS))
def test_generated_models_are_what_protobuf_writes(name: str) -> None:
    sizes = {"N": (60,), "K": (20,), "T": (2, 8), "D": (60, 8, 8192)}.get(name, (3, 8192))
    pieces = models.MODELS[name][0](*sizes).pieces
    written = b"".join(bytes(len(piece)) if isinstance(piece, models.Hole) else piece for piece in pieces)
    model = onnx.ModelProto()
    model.ParseFromString(written)
    assert model.SerializeToString(deterministic=True) == written
    assert len(model.graph.node) + len(model.graph.initializer) > 0


def test_small_nodes_have_the_size_that_the_rows_speak_of() -> None:
    assert 140 < models.small_nodes(3000).size / 3000 < 155


def test_a_model_stays_as_long_as_a_later_row_needs_it_or_somebody_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ONNX_LIGHT_BENCH_CACHE", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(models.tempfile, "tempdir", None)
    monkeypatch.setitem(models.MODELS, "N", (models.small_nodes, (6,), (6,)))
    monkeypatch.setitem(models.MODELS, "K", (models.small_tensors, (6,), (6,)))
    files = models.ModelFiles()
    n, k = files.path_of("N"), files.path_of("K")
    files.keep_only({"K"})
    assert (n.exists(), k.exists()) == (False, True)
    models.ModelFiles().keep_only(set())  # another run, which wrote nothing
    assert k.exists()
    files.keep_only(set())
    assert not k.parent.exists()

    monkeypatch.setenv("ONNX_LIGHT_BENCH_CACHE", str(tmp_path / "kept"))
    kept = files.path_of("N")
    files.keep_only(set())
    assert kept.parent == tmp_path / "kept"
    assert kept.exists()


def test_a_process_that_dies_costs_one_figure_and_no_run(tmp_path: Path) -> None:
    mortal = tmp_path / "mortal"
    mortal.write_text("""#!/bin/sh
while read -r mode region path; do
  [ "$region" = ours.deadly ] && kill -9 $$
  echo '{"ns": 1}'
done
""")
    mortal.chmod(0o700)
    with Crew(Programs(mortal, "")) as crew:
        answers = [crew.ask(region, FILE, State.DEFAULT) for region in ("ours.x", "ours.deadly", "ours.x", "ours.deadly")]
    died = {"what": "ours.deadly", "error": "no answer: the process of ours ended with -9"}
    assert answers == [{"ns": 1}, died, {"ns": 1}, died]


def test_sides_that_did_not_do_the_same_job_are_an_error_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    items = {"ours.x": 20, "peer.x": 10, "floor.x": 0, "ours.y": 7}
    monkeypatch.setattr(rounds, "fresh", lambda programs, region, path, mode: {"items": items[region]})
    row = Row(1, "", [Part("", "N", "ours.x", [Peer("peer.x"), Floor("floor.x")]), Part("", "K", "ours.y")])
    found = rounds.check(row, Path, Programs(FILE, ""))
    assert {timed.region for timed, series in found.items() if series.error} == {"ours.x", "peer.x"}
    assert "they differ in items: {'ours.x': 20, 'peer.x': 10}" in str(found[Timed("ours.x", Path("N"), State.KEEPING)].error)


@pytest.fixture
def path_of_weights(tmp_path: Path) -> str:
    """Of a model of three nodes and three tensors."""
    path = tmp_path / "w.onnx"
    path.write_bytes(b"".join(models.large_tensors(3, 8256).pieces))  # type: ignore[arg-type]
    return str(path)


@pytest.mark.parametrize(("name", "times"), [("load_1_thread", 1), ("load_again_1_thread", 5), ("save_again_1_thread", 5)])
def test_an_act_that_does_its_job_several_times_counts_each(path_of_weights: str, name: str, times: int) -> None:
    act = python_acts.ACTS[name](onnxl, path_of_weights)
    act.prepare()
    if times > 1:
        act.times = times
    act.act()
    assert act.check()["items"] == 6 * times
    act.undo()


@pytest.mark.parametrize(("name", "wrong"), [("save_external_aligned", "is not aligned"), ("save_external_shards", "1 files, not 3")])
def test_an_act_whose_option_did_nothing_is_noticed(path_of_weights: str, name: str, wrong: str) -> None:
    act = weights_acts.ACTS[name](onnxl, path_of_weights)
    act.prepare()
    act.act()
    assert act.check()["items"] == 3
    act.undo()
    act.prepare()
    act.arguments = {}
    act.act()
    with pytest.raises(AssertionError, match=wrong):
        act.check()
