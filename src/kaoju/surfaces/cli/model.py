"""`kaoju model list / pull / serve`: local models."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kaoju.surfaces.cli.options import Json, print_json

model_app = typer.Typer(
    no_args_is_help=True, help="Local models: list, pull, serve. 本地模型：列出、拉取、启动服务。"
)


def folder() -> Path:
    """Return the models folder in force."""
    from kaoju.llm.models import models_folder
    from kaoju.runtime import settings

    return models_folder(settings.load().models_dir)


@model_app.command("list")
def list_models(json: Json = False) -> None:
    """List known models, and which of them are here.

    列出已知模型及其是否已拉取。
    """
    from kaoju.llm import weights

    where = folder()
    rows = [
        {
            "name": row.name,
            "default": row.name == weights.DEFAULT,
            "pulled": weights.is_pulled(row, where),
            "bytes": row.size,
            "licence": row.licence,
            "path": str(where / row.file),
            "good_for": row.good_for,
            "good_for_zh": row.good_for_zh,
        }
        for row in weights.KNOWN
    ]
    if json:
        print_json({"folder": str(where), "models": rows})
        return
    for row in weights.KNOWN:
        mark = "pulled 已拉取" if weights.is_pulled(row, where) else "not here 未拉取"
        print(f"{row.name:<20} {row.size / 1e9:>4.1f} GB  {mark:<14}  {row.good_for} / {row.good_for_zh}")
    print(f"folder 文件夹: {where}")


@model_app.command("pull")
def pull_model(
    name: Annotated[str, typer.Argument(help="One of `kaoju model list`. 模型名。")] = "",
    json: Json = False,
) -> None:
    """Fetch the weights of a model; goes on where an earlier pull stopped.

    拉取模型权重，可断点续传。
    """
    from kaoju.llm import weights
    from kaoju.llm.pull import pull
    from kaoju.surfaces.cli.progress import downloading

    row = weights.known(name or weights.DEFAULT)
    with downloading(row.name, row.size) as show:
        path = pull(row, folder(), on_progress=lambda done, _total: show(done))
    if json:
        print_json({"name": row.name, "path": str(path), "bytes": row.size, "sha256": row.sha256})
    else:
        print(f"{row.name}: {path}")


@model_app.command("serve")
def serve_model(
    model: Annotated[
        str, typer.Option("--model", help="Model name or path to a .gguf file. 模型名或 .gguf 路径。")
    ] = "",
    host: Annotated[str, typer.Option(help="Address to listen on. 监听地址。")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one. 端口；0 表示任选。")
    ] = 0,
) -> None:
    """Serve a local model to any OpenAI-compatible client, until Ctrl-C.

    启动兼容 OpenAI 接口的本地服务。
    """
    from kaoju.llm import weights
    from kaoju.llm.server import LocalServer, ServerSettings

    chosen = (model or weights.DEFAULT).removeprefix("local:")
    if chosen == "local":
        chosen = weights.DEFAULT
    path = Path(chosen).expanduser() if chosen.endswith(".gguf") else weights.locate(chosen, folder())
    server = LocalServer(path, ServerSettings(host=host, port=port))
    try:
        print(f"{server.url}  ({server.alias})", flush=True)
        print(f"use 使用: KAOJU_MODEL_URL={server.url} kaoju ask --model local …", file=sys.stderr)
        code = server.wait()
    except KeyboardInterrupt:
        return
    finally:
        server.close()
    print(
        f"the model server ended by itself (code {code}). 模型服务意外退出（代码 {code}）。", file=sys.stderr
    )
    raise typer.Exit(1)
