# Each verb is one command on a fresh machine with Python 3.11 to 3.14: it first makes or refreshes .venv.
#   make lab ARGS="--port 9000 --no-browser"   arguments of posenc-lessons
#   make test STAGES="tests notebooks"         some of the stages of tests/stages.py
#   make notebooks NOTEBOOKS=notebooks/02_sinusoidal.ipynb
#   make … PYTHON=python3.13                   the Python to make .venv with
#   make test-python PYTHON=python3.13         every check with that Python, in .venv-3.13; .venv stays as it is
# GNU make 3.81 (macOS) and the sh of Git for Windows must understand this file.

ifeq ($(OS),Windows_NT)
VENV_PYTHON := .venv/Scripts/python.exe
else
VENV_PYTHON := .venv/bin/python
endif

# A Python you name is used, and a .venv made by another version gives way to it; else the first that will do.
ifdef PYTHON
CANDIDATES := "$(PYTHON)"
SET_UP := set_up.py --this-python
else
CANDIDATES := python3 python python3.14 python3.13 python3.12 python3.11
SET_UP := set_up.py
endif

define set_up
@for python in $(CANDIDATES); do \
  if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1; then \
    exec "$$python" $(SET_UP) $(1); \
  fi; \
done; \
printf '%s\n' \
  'No Python 3.11 to 3.14 here (tried: $(subst ",,$(CANDIDATES))); PyTorch has no build for a newer one yet. Install one, or name it: make $@ PYTHON=/path/to/python3' \
  '这里没有 Python 3.11 到 3.14（试过：$(subst ",,$(CANDIDATES))）；更新的 Python 还没有对应的 PyTorch。请先安装，或指明它在哪里：make $@ PYTHON=/path/to/python3' >&2; \
exit 1
endef

NOTEBOOKS ?= $(wildcard notebooks/*.ipynb notebooks/*/*.ipynb)

# The folder beside .venv for the Python that was named.
OTHER_VENV = .venv-$(shell "$(PYTHON)" -c 'import sys; print("%d.%d" % sys.version_info[:2])')

.PHONY: help lab explorer site book test sweep check test-python bench images notebooks
.NOTPARALLEL:

help:
	@printf '%s\n' \
	  'make lab        open the lessons in JupyterLab · 在 JupyterLab 里打开课程' \
	  'make explorer   the explorers as a separate page · 交互图单独成页' \
	  'make site       lessons and explorers as a web site, into site/ · 课程和交互图做成网站，写入 site/' \
	  'make book       the course as one PDF in each language, into book/ · 整门课一份 PDF，每种语言一份，写入 book/' \
	  'make test       every check that a change can break, in minutes · 几分钟：改动可能弄坏的一切' \
	  'make sweep      the slow rest, weekly and before a release · 其余的慢测试，每周和发布之前' \
	  'make check      lint, types and the tests of the rooms that differ from main · 代码检查、类型、与 main 不同的部分的测试' \
	  'make test-python PYTHON=python3.12  every check with another Python, in its own folder · 用另一个 Python 做全部检查，不动 .venv' \
	  'make bench      measure, into benchmarks/results.md · 测量，写入 benchmarks/results.md' \
	  'make images     draw images/ again · 重新画出 images/' \
	  'make notebooks  run the notebooks and record their outputs · 运行笔记本并记录输出'

lab:
	$(call set_up)
	@$(VENV_PYTHON) -m posenc_lessons.cli lab $(ARGS)

explorer:
	$(call set_up)
	@$(VENV_PYTHON) -m posenc_lessons.cli explore $(ARGS)

site:
	$(call set_up)
	@$(VENV_PYTHON) -m posenc_lessons.cli export --to site --out site $(ARGS)

book:
	$(call set_up)
	@$(VENV_PYTHON) -m posenc_lessons.cli export --to book --out book $(ARGS)

test:
	$(call set_up,test oracles classroom)
	@$(VENV_PYTHON) tests/stages.py $(STAGES)

sweep:
	$(call set_up,test oracles classroom)
	@$(VENV_PYTHON) tests/stages.py --sweep $(STAGES)

check:
	$(call set_up,test oracles classroom)
	@$(VENV_PYTHON) tests/check.py $(BASE)

test-python:
	@test -n "$(PYTHON)" || { echo 'make test-python PYTHON=/path/to/python3'; exit 1; }
	@"$(PYTHON)" set_up.py --this-python --venv $(OTHER_VENV) test oracles classroom
	@$(subst .venv/,$(OTHER_VENV)/,$(VENV_PYTHON)) tests/stages.py $(STAGES)

bench:
	$(call set_up,test oracles classroom)
	@$(VENV_PYTHON) -m benchmarks $(ARGS)

images:
	$(call set_up,test oracles classroom)
	@$(VENV_PYTHON) -m posenc_lessons.figures.images
	@$(VENV_PYTHON) -m tests.browser.animations

notebooks:
	$(call set_up,test oracles classroom)
	@$(VENV_PYTHON) tests/notebooks/record.py $(NOTEBOOKS)
