prec.profile @typo extends @vllm {
  prec.rule "nn.mean" {points = {summ = true}}
}
