prec.profile @one {
}
prec.profile @two {
}
